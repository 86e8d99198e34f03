// Springs between links: where they are, their forces, and coils in colours of the force.

import { BufferAttribute, BufferGeometry, Color, LineBasicMaterial, LineSegments, Vector3 } from 'three';

const TURNS = 9;
const PER_TURN = 14;
const POINTS = TURNS * PER_TURN;
const PULL = new Color('#ff8c32');
const PUSH = new Color('#3d8bff');
const SLACK = new Color('#8a94a0');

/** Force of a spring of this length; positive pulls its ends together. */
export function springForce(spring, length) {
  const beyond = length - spring.rest;
  if ((spring.side === 'push' && beyond > 0) || (spring.side === 'pull' && beyond < 0)) return 0;
  return spring.stiffness * beyond + spring.preload;
}

/** One object of three.js for all springs of a model. */
export class Springs {
  constructor() {
    this.lines = new LineSegments(
      new BufferGeometry(),
      new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true }),
    );
    this.lines.frustumCulled = false;
    this.lines.visible = false;
    this.forces = [];
    this.largest = 0;
  }

  /** springs of the message `model`. */
  set(springs) {
    if (this.list === springs) return;
    this.list = springs;
    this.largest = 0;
    const n = 6 * POINTS * springs.length;
    this.lines.geometry.setAttribute('position', new BufferAttribute(new Float32Array(n), 3));
    this.lines.geometry.setAttribute('color', new BufferAttribute(new Float32Array(n), 3));
  }

  /** links: by name, in the world; extent: size of the robot */
  update(links, extent) {
    this.forces = [];
    const { position, color } = this.lines.geometry.attributes;
    (this.list ?? []).forEach((spring, k) => {
      const [a, b] = [spring.a, spring.b].map((end) => {
        const p = new Vector3().fromArray(end.xyz);
        return links[end.link] ? p.applyMatrix4(links[end.link].matrixWorld) : p;
      });
      const length = a.distanceTo(b);
      const force = springForce(spring, length);
      this.largest = Math.max(this.largest, Math.abs(force));
      this.forces.push({ name: spring.name, length, force });
      coil(position.array, 6 * POINTS * k, a, b, 0.016 * extent);
      const shade = SLACK.clone().lerp(
        force > 0 ? PULL : PUSH,
        this.largest > 0 ? Math.sqrt(Math.abs(force) / this.largest) : 0,
      );
      for (let i = 0; i < 2 * POINTS; i++) shade.toArray(color.array, 6 * POINTS * k + 3 * i);
    });
    this.lines.visible = this.forces.length > 0;
    if (!this.lines.visible) return;
    position.needsUpdate = true;
    color.needsUpdate = true;
  }
}

// segments of a helix from a to b, straight at its ends
function coil(array, at, a, b, radius) {
  const along = b.clone().sub(a);
  const side = new Vector3(1, 0, 0);
  if (Math.abs(along.x) > 0.9 * along.length()) side.set(0, 1, 0);
  const u = along.clone().cross(side).normalize();
  const v = along.clone().cross(u).normalize();
  const point = (i) => {
    const t = i / POINTS;
    const r = radius * Math.min(1, 8 * t, 8 * (1 - t));
    const angle = (2 * Math.PI * i) / PER_TURN;
    return a
      .clone()
      .addScaledVector(along, t)
      .addScaledVector(u, r * Math.cos(angle))
      .addScaledVector(v, r * Math.sin(angle));
  };
  let last = point(0);
  for (let i = 0; i < POINTS; i++) {
    const next = point(i + 1);
    last.toArray(array, at + 6 * i);
    next.toArray(array, at + 6 * i + 3);
    last = next;
  }
}
