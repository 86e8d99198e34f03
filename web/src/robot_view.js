// 3D view of the robot from its URDF at the current pose, with overlays.

import {
  AmbientLight,
  ArrowHelper,
  AxesHelper,
  Box3,
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Points,
  PointsMaterial,
  Quaternion,
  Scene,
  SphereGeometry,
  GridHelper,
  Matrix4,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Ghost } from './ghost.js';
import { Springs } from './springs.js';
import { paint, readUrdf } from './urdf.js';
import { palette } from './theme.js';

const TURN = 0.12; // radians per key press

export class RobotView {
  /**
   * \param box element that it fills; \param changed called when it should be drawn again;
   * \param meshesChanged called when another mesh is there, or known to be missing
   */
  constructor(box, changed, meshesChanged) {
    this.box = box;
    this.changed = changed;
    this.meshesChanged = meshesChanged;
    this.floor = 0; // height of the grid [m]
    this.robot = null;
    this.drawn = 0;
    this.skeletonWanted = null; // null: where shapes are missing
    this.scene = new Scene();
    this.scene.up.set(0, 0, 1);
    this.camera = new PerspectiveCamera(40, 1, 0.01, 200);
    this.camera.up.set(0, 0, 1);
    this.world = new Group();
    this.scene.add(this.world);
    this.#lights();
    this.#marks();
    this.#renderer();
    this.width = 0;
    new ResizeObserver(([entry]) => this.#resize(entry.contentRect)).observe(box);
    this.recolour();
    this.fit();
  }

  #renderer() {
    try {
      this.software = drawnByProcessor();
      this.renderer = new WebGLRenderer({ antialias: !this.software, powerPreference: 'low-power' });
    } catch (error) {
      this.renderer = null; // the rest of the page works without
      this.failure = 'This browser has no WebGL: the robot cannot be drawn.';
      return;
    }
    this.renderer.setPixelRatio(this.software ? 1 : Math.min(window.devicePixelRatio, 2));
    const { domElement: canvas } = this.renderer;
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute(
      'aria-label',
      'The robot in 3D. Arrow keys orbit, plus and minus zoom, R fits it to the view.',
    );
    canvas.addEventListener('keydown', (event) => this.#key(event));
    this.box.prepend(canvas);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.changed());
    this.controls.maxDistance = 60;
    this.controls.minDistance = 0.05;
  }

  #lights() {
    const sun = new DirectionalLight(0xffffff, 1.7);
    sun.position.set(2, -3, 5);
    const fill = new DirectionalLight(0xffffff, 0.6);
    fill.position.set(-4, 2, 1);
    this.scene.add(
      new HemisphereLight(0xffffff, 0x8d99ae, 1.2),
      new AmbientLight(0xffffff, 0.25),
      sun,
      fill,
    );
  }

  #marks() {
    const see = { depthTest: false, transparent: true };
    this.skeleton = new LineSegments(new BufferGeometry(), new LineBasicMaterial(see));
    this.knots = new Points(
      new BufferGeometry(),
      new PointsMaterial({ size: 7, sizeAttenuation: false, ...see }),
    );
    this.frameAxes = new AxesHelper(1);
    this.frameAxes.material.depthTest = false;
    this.worldAxes = new AxesHelper(0.15);
    this.com = new Mesh(
      new SphereGeometry(1, 16, 12),
      new MeshBasicMaterial({ ...see, opacity: 0.85 }),
    );
    this.force = new ArrowHelper(new Vector3(0, 0, 1), new Vector3(), 1, 0xff0000);
    this.ellipsoid = new Group();
    this.shell = new Mesh(
      new SphereGeometry(1, 32, 20),
      new MeshBasicMaterial({ transparent: true, opacity: 0.28, depthWrite: false }),
    );
    this.rings = new LineSegments(
      rings(),
      new LineBasicMaterial({ transparent: true, opacity: 0.8 }),
    );
    this.ellipsoid.add(this.shell, this.rings);
    this.ellipsoid.matrixAutoUpdate = false;
    const over = [this.skeleton, this.knots, this.frameAxes, this.com, this.ellipsoid];
    over.forEach((object, k) => {
      object.renderOrder = 10 + k;
      object.frustumCulled = false;
    });
    this.ghost = new Ghost(() => this.changed());
    this.springs = new Springs();
    this.springs.lines.renderOrder = 15;
    this.scene.add(...over, this.worldAxes, this.force, this.ghost.root, this.springs.lines);
    for (const object of [...over, this.force]) object.visible = false;
  }

  // ---------- the robot ----------

  /** Another robot. \return null, or why it could not be read */
  load(text, packages, floating) {
    this.clear();
    this.floating = floating;
    try {
      this.robot = readUrdf(text, packages, () => this.#meshCame());
    } catch (error) {
      return `The robot description could not be drawn: ${error.message}`;
    }
    this.robot.matrixAutoUpdate = true;
    this.joints = Object.values(this.robot.joints);
    this.ghost.set(text, packages);
    paint(this.robot);
    this.world.add(this.robot);
    this.#skeletonBuffers();
    this.#findFloor();
    this.fit();
    this.posed = false;
    this.meshesChanged();
    return null;
  }

  #meshCame() {
    if (!this.robot) return;
    paint(this.robot);
    this.#findFloor();
    this.fit();
    this.meshesChanged();
  }

  clear() {
    this.world.clear();
    this.robot = null;
    this.joints = [];
    this.ghost.set(null, []);
    this.showSprings([]);
    for (const object of [
      this.skeleton,
      this.knots,
      this.frameAxes,
      this.com,
      this.ellipsoid,
      this.force,
    ]) {
      object.visible = false;
    }
    this.followed = null;
    this.changed();
  }

  get linkCount() {
    return this.robot ? Object.keys(this.robot.links).length : 0;
  }

  get bare() {
    if (!this.robot) return false;
    let shapes = 0;
    this.robot.traverse((object) => (shapes += object.isMesh ? 1 : 0));
    return shapes === 0 || this.robot.meshes.missing > 0;
  }

  /** Positions by joint of the URDF, and the base: [x y z qx qy qz qw] or null. */
  pose(positions, base) {
    if (!this.robot) return;
    for (const [name, value] of positions) {
      if (Number.isFinite(value)) this.robot.joints[name]?.setJointValue(value);
    }
    if (base) {
      this.robot.position.set(base[0], base[1], base[2]);
      this.robot.quaternion.set(base[3], base[4], base[5], base[6]).normalize();
      this.#follow();
    }
    this.robot.updateMatrixWorld(true);
    if (!this.posed) {
      // the pose of a URDF is seldom that of the robot
      this.#findFloor();
      this.fit();
    }
    this.posed = true;
  }

  /** Whether any joint that is not fixed carries this link. */
  linkMoves(name) {
    let node = this.robot?.links[name];
    if (!node || this.floating) return Boolean(node);
    while (node && node !== this.robot) {
      if (node.isURDFJoint && node.jointType !== 'fixed') return true;
      node = node.parent;
    }
    return false;
  }

  // the camera goes with a robot that walks
  #follow() {
    const at = this.robot.position;
    if (this.followed && this.controls) {
      const step = at.clone().sub(this.followed);
      this.camera.position.add(step);
      this.controls.target.add(step);
    }
    this.followed = at.clone();
  }

  /** Position of a link, or null: [x y z]. */
  linkPosition(name) {
    const link = this.robot?.links[name];
    return link ? new Vector3().setFromMatrixPosition(link.matrixWorld).toArray() : null;
  }

  // ---------- what is drawn on top ----------

  #skeletonBuffers() {
    const n = this.joints.length;
    this.skeleton.geometry.setAttribute(
      'position',
      new BufferAttribute(new Float32Array(6 * n), 3),
    );
    this.knots.geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * n), 3));
  }

  #skeletonNow() {
    const shown = this.robot !== null && (this.skeletonWanted ?? this.bare);
    this.skeleton.visible = shown;
    this.knots.visible = shown;
    if (!shown) return;
    const lines = this.skeleton.geometry.attributes.position;
    const dots = this.knots.geometry.attributes.position;
    const p = new Vector3();
    this.joints.forEach((joint, k) => {
      p.setFromMatrixPosition(joint.parent.matrixWorld).toArray(lines.array, 6 * k);
      p.setFromMatrixPosition(joint.matrixWorld).toArray(lines.array, 6 * k + 3);
      p.toArray(dots.array, 3 * k);
    });
    lines.needsUpdate = true;
    dots.needsUpdate = true;
  }

  get skeletonShown() {
    return this.skeleton.visible;
  }

  showFrame(name) {
    const link = this.robot?.links[name];
    this.frameAxes.visible = Boolean(link);
    if (!link) return;
    link.matrixWorld.decompose(this.frameAxes.position, this.frameAxes.quaternion, new Vector3());
    this.frameAxes.scale.setScalar(0.14 * this.extent);
  }

  showCom(position) {
    this.com.visible = Boolean(position) && position.every(Number.isFinite);
    if (!this.com.visible) return;
    this.com.position.fromArray(position);
    this.com.scale.setScalar(0.018 * this.extent);
  }

  /** Arrow of a force in the axes of a link. */
  showForce(frame, force, newtonsPerMetre) {
    const link = this.robot?.links[frame];
    const size = force ? Math.hypot(...force) : 0;
    this.force.visible = Boolean(link) && size > 0.02 * newtonsPerMetre;
    if (!this.force.visible) return;
    const origin = new Vector3();
    const turn = new Quaternion();
    link.matrixWorld.decompose(origin, turn, new Vector3());
    this.force.position.copy(origin);
    this.force.setDirection(new Vector3().fromArray(force).normalize().applyQuaternion(turn));
    const length = Math.min(Math.max(size / newtonsPerMetre, 0.05), 1) * this.extent;
    this.force.setLength(length, 0.25 * length, 0.12 * length);
  }

  /** shape: {lengths, vectors, local} of ellipsoid.js; drawn so that the longest axis fits. */
  showEllipsoid(shape, frame) {
    const link = this.robot?.links[frame];
    this.ellipsoid.visible = Boolean(shape && link);
    if (!this.ellipsoid.visible) return;
    const finite = shape.lengths.filter(Number.isFinite);
    const unit = (0.3 * this.extent) / Math.max(...finite, 1e-9);
    // an axis without motion stays visible as a disc, one without end is cut
    const lengths = shape.lengths.map((x) =>
      Math.min(Math.max(x * unit, 0.002 * this.extent), 0.6 * this.extent),
    );
    const axes = shape.vectors.map((v, k) => new Vector3().fromArray(v).multiplyScalar(lengths[k]));
    const m = new Matrix4().makeBasis(...axes);
    const origin = new Vector3();
    const turn = new Quaternion();
    link.matrixWorld.decompose(origin, turn, new Vector3());
    if (shape.local) m.premultiply(new Matrix4().makeRotationFromQuaternion(turn));
    m.setPosition(origin);
    this.ellipsoid.matrix.copy(m);
    this.ellipsoid.matrixWorldNeedsUpdate = true;
  }

  /** positions: [[joint, value]], or null: none. */
  showGhost(positions) {
    this.ghost.show(positions, this.robot);
  }

  /** springs of the message `model`. */
  showSprings(springs) {
    this.springs.set(springs);
    this.springs.update(this.robot?.links ?? {}, this.extent ?? 1);
  }

  get springForces() {
    return this.springs.forces;
  }

  // ---------- camera ----------

  /** Corners of meshes whose normal is none: they would be drawn black. */
  get unlit() {
    let count = 0;
    this.robot?.traverse((object) => {
      const normal = object.isMesh ? (object.geometry.attributes.normal?.array ?? [0, 0, 0]) : [];
      for (let k = 0; k < normal.length; k += 3) {
        if (!(Math.hypot(normal[k], normal[k + 1], normal[k + 2]) > 0.5)) count++;
      }
    });
    return count;
  }

  get lowest() {
    return this.robot ? this.#bounds().min.z : null;
  }

  // shapes and origins of all links
  #bounds() {
    const box = new Box3();
    if (!this.robot) return box;
    this.robot.updateMatrixWorld(true);
    box.setFromObject(this.robot);
    for (const link of Object.values(this.robot.links)) {
      box.expandByPoint(new Vector3().setFromMatrixPosition(link.matrixWorld));
    }
    return box;
  }

  // under the feet of a robot that stands on its own, as it stands when it is first seen; under those
  // of one that is held at its root, too, if it has several ends; else where the base is mounted
  #findFloor() {
    const box = this.#bounds();
    const ends = Object.values(this.robot.links).filter(
      (link) => !link.children.some((child) => child.isURDFJoint),
    );
    const lowest = box.isEmpty() ? 0 : box.min.z;
    if (this.floating) this.floor = lowest;
    else this.floor = ends.length > 1 ? Math.min(lowest, 0) : 0;
  }

  fit() {
    const box = this.#bounds();
    if (box.isEmpty()) box.set(new Vector3(-0.5, -0.5, 0), new Vector3(0.5, 0.5, 1));
    else box.expandByScalar(0.1 * this.#reach()); // room to move
    const centre = box.getCenter(new Vector3());
    this.extent = Math.max(box.getSize(new Vector3()).length() / 1.6, 0.05);
    const distance = this.extent * 1.9 * Math.max(1, 0.9 / this.camera.aspect);
    this.camera.near = this.extent / 100;
    this.camera.far = this.extent * 100;
    this.camera.position
      .copy(centre)
      .add(new Vector3(0.78, -0.52, 0.34).normalize().multiplyScalar(distance));
    this.camera.updateProjectionMatrix();
    this.worldAxes.scale.setScalar(this.extent);
    this.#floor();
    if (this.controls) {
      this.controls.target.copy(centre);
      this.controls.update();
    }
    this.changed();
  }

  // length of the longest chain of joints
  #reach() {
    let most = 0;
    for (const joint of this.joints) {
      let length = 0;
      for (let at = joint; at && at !== this.robot; at = at.parent) length += at.position.length();
      most = Math.max(most, length);
    }
    return most;
  }

  #floor() {
    if (this.grid) {
      this.grid.geometry.dispose();
      this.scene.remove(this.grid);
    }
    const cell = 10 ** Math.round(Math.log10(this.extent / 5));
    const { line } = palette();
    this.grid = new GridHelper(cell * 40, 40, new Color(line), new Color(line));
    this.grid.rotation.x = Math.PI / 2;
    this.grid.position.z = this.floor;
    this.grid.material.transparent = true;
    this.grid.material.opacity = 0.55;
    this.scene.add(this.grid);
  }

  #key(event) {
    const turns = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const turn = turns[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (turn) this.orbit(TURN * turn[0], TURN * turn[1]);
    else if (event.key === '+' || event.key === '=') this.dolly(0.9);
    else if (event.key === '-') this.dolly(1 / 0.9);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  orbit(azimuth, polar) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const radius = offset.length();
    const angle = Math.atan2(offset.y, offset.x) + azimuth;
    const height = Math.min(Math.max(Math.acos(offset.z / radius) + polar, 0.05), Math.PI - 0.05);
    offset.set(
      Math.sin(height) * Math.cos(angle),
      Math.sin(height) * Math.sin(angle),
      Math.cos(height),
    );
    this.camera.position.copy(this.controls.target).add(offset.multiplyScalar(radius));
    this.controls.update();
    this.changed();
  }

  dolly(factor) {
    this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    this.controls.update();
    this.changed();
  }

  // ---------- drawing ----------

  recolour() {
    const c = palette();
    this.scene.background = new Color(c.page);
    this.skeleton.material.color.set(c.accent);
    this.knots.material.color.set(c.text);
    this.com.material.color.set(c.warn);
    this.force.setColor(new Color(c.bad));
    this.shell.material.color.set(c.accent);
    this.rings.material.color.set(c.accent);
    this.ghost.recolour(c.accent);
    if (this.grid) this.#floor();
    this.changed();
  }

  #resize({ width, height }) {
    this.width = width;
    if (!this.renderer || width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.changed();
  }

  draw() {
    if (!this.renderer || this.width === 0) return;
    this.#skeletonNow();
    this.renderer.render(this.scene, this.camera);
    this.drawn++;
  }

  get canvas() {
    return this.renderer?.domElement ?? null;
  }
}

// without a graphics card smooth edges cost more than they are worth
function drawnByProcessor() {
  const context = document.createElement('canvas').getContext('webgl2');
  const about = context?.getExtension('WEBGL_debug_renderer_info');
  const name = about ? context.getParameter(about.UNMASKED_RENDERER_WEBGL) : '';
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

// three great circles
function rings() {
  const points = [];
  const steps = 48;
  for (let axis = 0; axis < 3; axis++) {
    for (let k = 0; k < steps; k++) {
      for (const step of [k, k + 1]) {
        const a = (2 * Math.PI * step) / steps;
        const p = [0, 0, 0];
        p[(axis + 1) % 3] = Math.cos(a);
        p[(axis + 2) % 3] = Math.sin(a);
        points.push(...p);
      }
    }
  }
  return new BufferGeometry().setAttribute(
    'position',
    new BufferAttribute(new Float32Array(points), 3),
  );
}
