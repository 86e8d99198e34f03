"""mbdyn.pin: recorded results of Pinocchio by its own names; rigid motions against finite differences."""
import unittest
import warnings

import numpy as np

import mbdyn
from mbdyn import pin
from support import ROBOTS, recorded

warnings.simplefilter('ignore', mbdyn.UrdfWarning)


class Recorded(unittest.TestCase):
    def close(self, got, expected, what, tolerance=1e-8):
        expected = np.asarray(expected, dtype=float)
        scale = max(1.0, float(np.abs(expected).max(initial=0)))
        self.assertLess(np.abs(np.asarray(got) - expected).max(initial=0) / scale, tolerance, what)
        self.count += 1

    def test_recorded(self):
        self.count = 0
        for name, vectors in recorded():
            root = pin.JointModelFreeFlyer() if vectors['floating_base'] else None
            model = pin.buildModelFromUrdf(vectors['urdf'], root)
            data = model.createData()
            self.assertEqual(model.names[1:], [j['name'] for j in vectors['joints']])
            self.assertEqual(model.idx_qs[1:], [j['idx_q'] for j in vectors['joints']])
            self.assertEqual(model.idx_vs[1:], [j['idx_v'] for j in vectors['joints']])
            for state in vectors['states']:
                q, v, a, tau = (np.array(state[n], dtype=float) for n in ('q', 'v', 'a', 'tau'))
                self.close(pin.rnea(model, data, q, v, a), state['rnea'], name)
                self.close(pin.aba(model, data, q, v, tau), state['aba_qdd'], name)
                self.close(pin.crba(model, data, q), state['M'], name)
                self.close(pin.computeMinverse(model, data, q), state['Minv'], name)
                self.close(pin.computeGeneralizedGravity(model, data, q), state['g'], name)
                self.close(pin.nonLinearEffects(model, data, q, v), state['h'], name)
                self.close(pin.computeKineticEnergy(model, data, q, v), state['kinetic_energy'], name)
                Ag = pin.ccrba(model, data, q, v)
                self.close(Ag @ v, state['hg'], name)
                self.close(data.hg, state['hg'], name)
                pin.computeRNEADerivatives(model, data, q, v, a)
                self.close(data.dtau_dq, state['dtau_dq'], name)
                self.close(data.dtau_dv, state['dtau_dv'], name)
                pin.computeABADerivatives(model, data, q, v, tau)
                self.close(data.ddq_dq, state['dqdd_dq'], name, 1e-7)
                self.close(data.ddq_dv, state['dqdd_dv'], name, 1e-7)
                pin.forwardKinematics(model, data, q, v, 0 * a)
                pin.updateFramePlacements(model, data)
                for link in state['links']:
                    k = model.getFrameId(link.get('name', link.get('frame', link.get('link'))))
                    LWA = pin.LOCAL_WORLD_ALIGNED
                    self.close(data.oMf[k].translation, link['p'], name)
                    self.close(data.oMf[k].rotation, link['R'], name)
                    self.close(pin.getFrameVelocity(model, data, k, LWA), link['vel'], name)
                    self.close(pin.getFrameClassicalAcceleration(model, data, k, LWA), link['Jdot_v'], name)
                    self.close(pin.computeFrameJacobian(model, data, q, k, LWA), link['J'], name)
                    pin.forwardKinematics(model, data, q, v, 0 * a)
        self.assertGreater(self.count, 500)


class Motions(unittest.TestCase):
    def test_exp_log(self):
        rng = np.random.default_rng(1)
        for length in (0, 1e-9, 1e-5, 1e-3, 0.5, 2, 3, np.pi - 1e-3, np.pi - 1e-7):
            w = rng.standard_normal(3)
            w *= length / np.linalg.norm(w)
            R = pin.exp3(w)
            np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-14)
            np.testing.assert_allclose(pin.log3(R), w, atol=2e-8)
            v = np.concatenate([rng.standard_normal(3), w])
            X = pin.exp6(v)
            np.testing.assert_allclose(pin.log6(X).vector, v, atol=1e-6)
            if length < 3.1:
                h = 1e-6
                J = pin.Jlog6(X)
                for k in range(6):
                    e = np.zeros(6)
                    e[k] = h
                    slope = (pin.log6(X * pin.exp6(e)).vector - pin.log6(X * pin.exp6(-e)).vector) / (2 * h)
                    np.testing.assert_allclose(J[:, k], slope, atol=1e-5)
                np.testing.assert_allclose(pin.Jlog3(R), J[3:, 3:], atol=1e-9)
                np.testing.assert_allclose(pin.Jlog3(R) @ pin.Jexp3(w), np.eye(3), atol=1e-9)

    def test_actions(self):
        np.random.seed(1)
        X, Y = pin.SE3.Random(), pin.SE3.Random()
        V, f = pin.Motion.Random(), pin.Force.Random()
        np.testing.assert_allclose(X.action @ V.vector, X.act(V).vector, atol=1e-14)
        np.testing.assert_allclose(X.dualAction @ f.vector, X.act(f).vector, atol=1e-12)
        self.assertAlmostEqual(X.act(V).dot(X.act(f)), V.dot(f), 12)
        self.assertTrue((X * Y).actInv(X).isApprox(Y.inverse(), 1e-12))
        np.testing.assert_allclose((X * Y).homogeneous, X.homogeneous @ Y.homogeneous, atol=1e-14)
        rpy = np.array([0.1, -0.4, 2.0])
        np.testing.assert_allclose(pin.rpy.matrixToRpy(pin.rpy.rpyToMatrix(rpy)), rpy, atol=1e-14)


class Models(unittest.TestCase):
    def setUp(self):
        np.random.seed(2)
        self.model = pin.buildModelFromUrdf(str(ROBOTS / 'arm7.urdf'))
        self.data = self.model.createData()
        self.q, self.v, self.a = pin.randomConfiguration(self.model), *np.random.rand(2, 7)

    def test_reduced(self):
        reduced = pin.buildReducedModel(self.model, [6, 7], self.q)
        self.assertEqual(reduced.names, self.model.names[:6])
        g = pin.computeGeneralizedGravity(self.model, self.data, self.q)
        np.testing.assert_allclose(
            pin.computeGeneralizedGravity(reduced, reduced.createData(), self.q[:5]), g[:5], atol=1e-10)

    def test_regressor_and_terms(self):
        m, d = self.model, self.data
        Y = pin.computeJointTorqueRegressor(m, d, self.q, self.v, self.a)
        theta = d.native.parameters_get(False).reshape(-1, 10)[:, [0, 1, 2, 3, 4, 5, 7, 6, 8, 9]].reshape(-1)
        np.testing.assert_allclose(Y @ theta, pin.rnea(m, d, self.q, self.v, self.a), atol=1e-10)
        C = pin.computeCoriolisMatrix(m, d, self.q, self.v)
        pin.computeAllTerms(m, d, self.q, self.v)
        np.testing.assert_allclose(C @ self.v + d.g, d.nle, atol=1e-10)
        np.testing.assert_allclose(d.Jcom @ self.v, d.vcom[0], atol=1e-12)

    def test_jacobians(self):
        m, d = self.model, self.data
        J = pin.computeJointJacobians(m, d, self.q)
        np.testing.assert_allclose(J, pin.getJointJacobian(m, d, 7, pin.WORLD), atol=1e-12)
        local = pin.computeJointJacobian(m, d, self.q, 7)
        np.testing.assert_allclose(d.oMi[7].action @ local, J, atol=1e-12)
        k = m.getFrameId('joint7')
        pin.forwardKinematics(m, d, self.q, self.v, self.a)
        for rf in (pin.LOCAL, pin.WORLD):
            A = pin.getFrameAcceleration(m, d, k, rf).vector
            Jk, dJ = pin.getFrameJacobian(m, d, k, rf), pin.getFrameJacobianTimeVariation(m, d, k, rf)
            np.testing.assert_allclose(A, Jk @ self.a + dJ @ self.v, atol=1e-10)
        np.testing.assert_allclose(d.v[7].vector, local @ self.v, atol=1e-12)

    def test_forces_and_gravity(self):
        m, d = self.model, self.data
        forces = [pin.Force.Random() for _ in range(m.njoints)]
        tau = pin.rnea(m, d, self.q, self.v, self.a, forces)
        expected = pin.rnea(m, d, self.q, self.v, self.a)
        for k in range(1, m.njoints):
            expected = expected - pin.getJointJacobian(m, d, k, pin.LOCAL).T @ forces[k].vector
        np.testing.assert_allclose(tau, expected, atol=1e-10)
        np.testing.assert_allclose(pin.aba(m, d, self.q, self.v, tau, forces), self.a, atol=1e-9)
        m.gravity.linear = np.zeros(3)
        np.testing.assert_array_equal(pin.computeGeneralizedGravity(m, d, self.q), 0)

    def test_names(self):
        m = self.model
        self.assertTrue(m.existFrame('link7') and m.existJointName('joint7'))
        self.assertEqual(m.getJointId('joint7'), 7)
        self.assertEqual((m.getJointId('no'), m.getFrameId('no')), (m.njoints, m.nframes))
        q = pin.integrate(m, self.q, self.v)
        np.testing.assert_allclose(pin.difference(m, self.q, q), self.v, atol=1e-12)
        humanoid = pin.buildSampleModelHumanoid()
        self.assertEqual((humanoid.nq, humanoid.nv), (35, 34))


if __name__ == '__main__':
    unittest.main()
