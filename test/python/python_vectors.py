"""The recorded results of Pinocchio through the Python module, state by state and as batches."""
import unittest
import warnings

import numpy as np

import mbdyn
from support import recorded

NAMES = ('q', 'v', 'a', 'tau')


def scale(expected):
    return max(1.0, float(np.abs(expected).max(initial=0)))


class Vectors(unittest.TestCase):
    def close(self, got, expected, what, tolerance=1e-9):
        expected = np.asarray(expected, dtype=float)
        error = np.abs(np.asarray(got) - expected).max(initial=0) / scale(expected)
        self.assertLess(error, tolerance, what)
        self.compared += 1

    def test_all(self):
        self.compared = 0
        for name, vectors in recorded():
            with warnings.catch_warnings():
                warnings.simplefilter('ignore', mbdyn.UrdfWarning)
                model = mbdyn.load(vectors['urdf'], floating=vectors['floating_base'], mimic_independent=True)
            self.assertEqual((model.nq, model.nv), (vectors['nq'], vectors['nv']), name)
            for joint, other in zip(model.joints, vectors['joints']):
                # Pinocchio's joints include mimic joints; ours too, independent here
                self.assertEqual((joint.name, joint.q_index, joint.v_index),
                                 (other['name'], other['idx_q'], other['idx_v']), name)
            data = mbdyn.Data(model)
            for k, state in enumerate(vectors['states']):
                self.one_state(model, data, state, f'{name} state {k}')
            self.batches(model, vectors['states'], name)
        self.assertGreater(self.compared, 500)

    def one_state(self, model, data, state, where):
        q, v, a, tau = (np.array(state[n], dtype=float) for n in NAMES)
        self.close(data.inverse_dynamics(q, v, a), state['rnea'], f'{where} rnea')
        self.close(data.forward_dynamics(q, v, tau), state['aba_qdd'], f'{where} aba', 1e-8)
        data.set_state(q, v)
        self.close(data.gravity_torque(), state['g'], f'{where} g')
        self.close(data.bias(), state['h'], f'{where} h')
        self.close(data.mass_matrix(), state['M'], f'{where} M')
        self.close(data.mass_matrix_inverse(), state['Minv'], f'{where} Minv', 1e-8)
        self.close(data.centroidal_momentum(), state['hg'], f'{where} hg')
        self.close(data.kinetic_energy(), state['kinetic_energy'], f'{where} energy')
        for link in state['links']:
            frame = link.get('name', link.get('frame', link.get('link')))
            X = data.frame_placement(frame)
            self.close(X[:3, 3], link['p'], f'{where} {frame} p')
            self.close(X[:3, :3], link['R'], f'{where} {frame} R')
            self.close(data.frame_velocity(frame), link['vel'], f'{where} {frame} velocity')
            self.close(data.jacobian(frame), link['J'], f'{where} {frame} J')
            self.close(data.jacobian_bias(frame), link['Jdot_v'], f'{where} {frame} Jdot v')
            if 'Lambda' in link:
                Lambda, rank = data.operational_space_inertia(frame)
                self.assertEqual(rank, 6)
                self.close(Lambda, link['Lambda'], f'{where} {frame} Lambda', 1e-7)

    def batches(self, model, states, where):
        batch = mbdyn.Batch(model, 2)
        q, v, a, tau = (np.array([s[n] for s in states], dtype=float) for n in NAMES)
        self.close(batch.inverse_dynamics(q, v, a), [s['rnea'] for s in states], where)
        self.close(batch.forward_dynamics(q, v, tau), [s['aba_qdd'] for s in states], where, 1e-8)
        self.close(batch.gravity_torque(q), [s['g'] for s in states], where)
        self.close(batch.bias(q, v), [s['h'] for s in states], where)
        self.close(batch.mass_matrix(q), [s['M'] for s in states], where)
        self.close(batch.mass_matrix_inverse(q), [s['Minv'] for s in states], where, 1e-8)
        self.close(batch.centroidal_momentum(q, v), [s['hg'] for s in states], where)
        dq, dv, M = batch.inverse_dynamics_derivatives(q, v, a)
        self.close(dq, [s['dtau_dq'] for s in states], where, 1e-8)
        self.close(dv, [s['dtau_dv'] for s in states], where, 1e-8)
        self.close(M, [s['M'] for s in states], where)


if __name__ == '__main__':
    unittest.main()
