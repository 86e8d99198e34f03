// A second robot, transparent, at other joint positions.

import {
  BufferAttribute,
  BufferGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  MeshBasicMaterial,
  Vector3,
} from 'three';
import { readUrdf } from './urdf.js';

export class Ghost {
  constructor(changed) {
    this.changed = changed;
    this.root = new Group();
    this.root.visible = false;
    this.material = new MeshBasicMaterial({ transparent: true, opacity: 0.22, depthWrite: false });
    this.bones = new LineSegments(
      new BufferGeometry(),
      new LineBasicMaterial({ transparent: true, depthTest: false }),
    );
    this.bones.frustumCulled = false;
    this.bones.renderOrder = 9;
    this.root.add(this.bones);
  }

  recolour(colour) {
    this.material.color.set(colour);
    this.bones.material.color.set(colour);
  }

  /** Of this URDF, when it is first shown. */
  set(text, packages) {
    this.text = text;
    this.packages = packages;
    if (this.robot) this.root.remove(this.robot);
    this.robot = null;
    this.root.visible = false;
  }

  #load() {
    this.robot = readUrdf(this.text, this.packages, () => {
      this.#paint();
      this.changed();
    });
    this.#paint();
    this.joints = Object.values(this.robot.joints);
    // the curve leads beyond limits
    for (const joint of this.joints) joint.ignoreLimits = true;
    this.bones.geometry.setAttribute(
      'position',
      new BufferAttribute(new Float32Array(6 * this.joints.length), 3),
    );
    this.root.add(this.robot);
  }

  #paint() {
    this.robot?.traverse((object) => {
      if (object.isMesh) object.material = this.material;
    });
  }

  /** positions: [[joint, value]], or null: hidden; of: the robot whose base it has */
  show(positions, of) {
    this.root.visible = Boolean(positions && this.text && of);
    if (!this.root.visible) return;
    if (!this.robot) this.#load();
    for (const [name, value] of positions) {
      if (Number.isFinite(value)) this.robot.joints[name]?.setJointValue(value);
    }
    this.robot.position.copy(of.position);
    this.robot.quaternion.copy(of.quaternion);
    this.robot.updateMatrixWorld(true);
    const lines = this.bones.geometry.attributes.position;
    const p = new Vector3();
    this.joints.forEach((joint, k) => {
      p.setFromMatrixPosition(joint.parent.matrixWorld).toArray(lines.array, 6 * k);
      p.setFromMatrixPosition(joint.matrixWorld).toArray(lines.array, 6 * k + 3);
    });
    lines.needsUpdate = true;
  }

  /** Position of a link, or null: [x y z]. */
  linkPosition(name) {
    const link = this.root.visible ? this.robot?.links[name] : null;
    return link ? new Vector3().setFromMatrixPosition(link.matrixWorld).toArray() : null;
  }
}
