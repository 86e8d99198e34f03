// Builds the 3D robot from a URDF. Meshes are loaded only from folders that the server was given.

import {
  CapsuleGeometry,
  Euler,
  LoadingManager,
  Mesh,
  MeshLambertMaterial,
  Quaternion,
} from 'three';
import { ColladaLoader } from 'three/examples/jsm/loaders/ColladaLoader.js';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js';
import { STLLoader } from 'three/examples/jsm/loaders/STLLoader.js';
import URDFLoader from 'urdf-loader';

const NOWHERE = 'data:,';

const PACKAGE_PATH = /^package:\/\/([^/]+)\/(.+)$/;

/** Address of a mesh on the server, or null if the server was not given its package. */
export function meshAddress(file, packages) {
  const match = PACKAGE_PATH.exec(file);
  if (!match || !packages.includes(match[1])) return null;
  const path = match[2].split('/').map(encodeURIComponent).join('/');
  return `/mesh/${encodeURIComponent(match[1])}/${path}`;
}

/**
 * Robot of a URDF; `changed()` after each mesh. robot.meshes counts {wanted, loaded, missing} and has
 * the reasons, robot.capsules counts the capsules.
 */
export function readUrdf(text, packages, changed) {
  // everything that is not below /mesh on this server is refused before it is asked for
  const manager = new LoadingManager();
  manager.setURLModifier((url) =>
    url.startsWith('/mesh/') ? url : (meshAddress(url, packages) ?? NOWHERE),
  );
  const loader = new URDFLoader(manager);
  const meshes = { wanted: 0, loaded: 0, missing: 0, reasons: {} };
  // paths stay as they are written: meshAddress() judges them
  loader.packages = (name) => `package://${name}`;
  loader.loadMeshCb = (path, _, material, done) => {
    meshes.wanted++;
    loadMesh(path, packages, manager, material).then(
      (object) => {
        meshes.loaded++;
        done(object);
        changed();
      },
      (error) => {
        meshes.missing++;
        meshes.reasons[path] = error.message;
        done(null);
        changed();
      },
    );
  };
  const { root, links, joints } = plainNames(text);
  olderForms(root);
  const robot = loader.parse(root);
  robot.meshes = meshes;
  robot.capsules = roundCapsules(robot);
  robot.links = original(robot.links, links);
  robot.joints = original(robot.joints, joints);
  return robot;
}

/**
 * The robot element with names that are safe in selectors and as keys; what they were is in the two
 * maps, from the safe name to that of the robot.
 */
function plainNames(text) {
  const document = new DOMParser().parseFromString(text, 'text/xml');
  const root = document.documentElement;
  if (root.nodeName !== 'robot') throw new Error('not a URDF');
  const links = rename(root, 'link', 'link');
  const joints = rename(root, 'joint', 'joint');
  const refer = (selector, attribute, names) => {
    for (const node of root.querySelectorAll(selector)) {
      node.setAttribute(attribute, names.get(node.getAttribute(attribute)) ?? '');
    }
  };
  refer('joint > parent, joint > child', 'link', links);
  refer('joint > mimic', 'joint', joints);
  const back = (names) => new Map([...names].map(([name, safe]) => [safe, name]));
  return { root, links: back(links), joints: back(joints) };
}

// what URDF 1.1 added, as URDF 1.0 has it: the loader knows no other
function olderForms(root) {
  for (const origin of root.querySelectorAll('origin[quat_xyzw]')) {
    const xyzw = origin.getAttribute('quat_xyzw').trim().split(/\s+/).map(Number);
    const turned = new Quaternion(...xyzw).normalize();
    const { x, y, z } = new Euler().setFromQuaternion(turned, 'ZYX');
    origin.setAttribute('rpy', `${x} ${y} ${z}`);
  }
  for (const capsule of root.querySelectorAll('geometry > capsule')) {
    const cylinder = root.ownerDocument.createElement('cylinder');
    for (const name of ['radius', 'length']) {
      cylinder.setAttribute(name, capsule.getAttribute(name));
    }
    cylinder.setAttribute('capsule', '');
    capsule.replaceWith(cylinder);
  }
}

// half spheres for the cylinders that were capsules; how many there are
function roundCapsules(robot) {
  let count = 0;
  robot.traverse((object) => {
    const shape = object.isURDFVisual && object.urdfNode.querySelector('cylinder[capsule]');
    const mesh = shape && object.children.find((child) => child.isMesh);
    if (!mesh) return;
    const size = (name) => Number(shape.getAttribute(name));
    mesh.geometry.dispose();
    mesh.geometry = new CapsuleGeometry(size('radius'), size('length'), 8, 30);
    mesh.scale.set(1, 1, 1);
    count++;
  });
  return count;
}

// from the robot's names to safe ones
function rename(root, element, prefix) {
  const nodes = [...root.children].filter((node) => node.nodeName === element);
  const names = new Map();
  nodes.forEach((node, k) => {
    names.set(node.getAttribute('name'), `${prefix}${k}`);
    node.setAttribute('name', `${prefix}${k}`);
  });
  return names;
}

function original(objects, names) {
  const out = Object.create(null); // a link may be called __proto__
  for (const [safe, object] of Object.entries(objects)) out[names.get(safe)] = object;
  return out;
}

async function loadMesh(path, packages, manager, material) {
  const address = meshAddress(path, packages);
  const kind = /\.(stl|dae|obj|gltf|glb)$/i.exec(path)?.[1].toLowerCase();
  if (!address) throw new Error(whyNoAddress(path));
  if (!kind) throw new Error('not STL, COLLADA (.dae), OBJ or glTF (.gltf, .glb)');
  let object = null;
  try {
    object = await LOAD[kind](address, manager, material);
  } catch (error) {
    const missing = /404/.test(error.message ?? '');
    const text = missing ? 'no such file in the folder of --mesh' : `cannot be read: ${error.message}`;
    throw new Error(text);
  }
  object.traverse((child) => {
    if (child.isMesh) completeNormals(child.geometry);
  });
  return object;
}

function whyNoAddress(path) {
  const name = PACKAGE_PATH.exec(path)?.[1];
  return name
    ? `start mbdyn view with --mesh ${name}=DIR, the folder of package ${name}`
    : 'only package://PACKAGE/PATH is served: change the URDF, and use --mesh PACKAGE=DIR';
}

const LOAD = {
  stl: async (address, manager, material) =>
    new Mesh(await new STLLoader(manager).loadAsync(address), material),
  dae: async (address, manager) => (await new ColladaLoader(manager).loadAsync(address)).scene,
  gltf: async (address, manager) => (await new GLTFLoader(manager).loadAsync(address)).scene,
  glb: async (address, manager) => LOAD.gltf(address, manager),
  obj: async (address, manager, material) => {
    const object = await new OBJLoader(manager).loadAsync(address);
    object.traverse((child) => {
      if (child.isMesh) child.material = material;
    });
    return object;
  },
};

// many programs write STL with normals of zero, which would be drawn black
function completeNormals(geometry) {
  const normal = geometry.attributes.normal?.array;
  let good = normal !== undefined;
  for (let k = 0; good && k < normal.length; k += 3) {
    good = normal[k] ** 2 + normal[k + 1] ** 2 + normal[k + 2] ** 2 > 0.25; // NaN is not
  }
  if (!good) geometry.computeVertexNormals();
}

/**
 * Colours of a URDF are meant as seen on a screen; and one way of shading for all. Shapes of
 * neighbouring links often share a surface: each link is pushed back a little differently.
 */
export function paint(robot) {
  Object.values(robot.links).forEach((link, k) => paintLink(link, k));
}

function paintLink(link, depth) {
  const made = new Map();
  const own = link.children.filter((child) => child.isURDFVisual);
  for (const visual of own)
    visual.traverse((object) => {
      if (!object.isMesh || !object.material?.isMeshPhongMaterial || object.userData.painted)
        return;
      const old = object.material;
      if (!made.has(old)) {
        const fresh = new MeshLambertMaterial({
          color: old.color.clone().convertSRGBToLinear(),
          map: old.map,
          opacity: old.opacity,
          transparent: old.transparent,
          polygonOffset: true,
          polygonOffsetFactor: 0.3 * (depth % 3),
          polygonOffsetUnits: 150 * (depth % 3),
        });
        made.set(old, fresh);
      }
      object.material = made.get(old);
      object.userData.painted = true;
    });
}
