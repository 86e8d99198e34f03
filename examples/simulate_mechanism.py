# A mechanism in time from Python: where its slider turns, located as events, and whether energy is kept.
import sys

import mbdyn


def main(path, joint):
    model = mbdyn.Model.from_mechanism(path)
    slider = model.joints[model.joint_index(joint)]
    sim = mbdyn.Simulation(model, terms=mbdyn.TERM_ELEMENTS, rtol=1e-9, atol=1e-10)
    # a sign change of the slider's velocity, either way; the run stops there
    sim.add_event(lambda data, t, q, v: v[slider.v_index], terminal=True)
    sim.start(0, model.mechanism['q'], model.mechanism['v'])

    start, end = sim.energy, model.mechanism['simulate']['time'] or 1.0
    turns = []
    while sim.t < end:
        sim.run(end)
        if sim.event is not None:
            turns.append(float(sim.q[slider.q_index]))
            print(f'{sim.t:9.6f} s  {joint} turns at {turns[-1]:9.6f}')
    if turns:
        print(f'{len(turns)} turns, from {min(turns):.6f} to {max(turns):.6f}')
    print(f'loops open by {sim.error_position:.1e} m; energy is off by {abs(sim.energy - start - sim.work):.1e} J')


if __name__ == '__main__':
    if len(sys.argv) != 3:
        sys.exit('usage: python3 simulate_mechanism.py MECHANISM.yaml JOINT')
    main(sys.argv[1], sys.argv[2])
