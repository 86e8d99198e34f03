// A mechanism from a file, simulated in time: closed loops stay closed, and the energy balance says how exact it is.
#include <math.h>
#include <stdio.h>

#include "mbdyn/mechanism.h"
#include "mbdyn/simulate.h"

int
main(int argc, char ** argv)
{
  mbdx_mechanism_t * mechanism = NULL;
  mbdx_report_t * report = NULL;
  mbd_simulation_t * simulation = NULL;
  if (argc != 2) {
    fprintf(stderr, "usage: %s NAME.mechanism.yaml\n", argv[0]);
    return 2;
  }
  if (mbdx_mechanism_load_file(argv[1], NULL, &mechanism, &report) != MBD_OK) {
    for (int i = 0; report && i < report->n; i++) fprintf(stderr, "%s\n", report->entry[i].text);
    return 1;
  }
  const mbd_model_t * model = mechanism->model;
  mbd_simulation_options_t options = mbd_simulation_options_default();
  options.ode.rtol = options.ode.atol = 1e-10;
  mbd_status_t status = mbd_simulation_create(model, &options, &simulation);  // the only allocation
  // springs and bearings of the file count
  if (status == MBD_OK) status = mbd_set_terms(mbd_simulation_data(simulation), MBD_TERM_ELEMENTS);
  if (status == MBD_OK)
    status = mbd_simulation_start(simulation, 0, mechanism->q, mechanism->v, NULL);
  const mbd_simulation_info_t * info = mbd_simulation_info(simulation);
  for (int k = 1; status == MBD_OK && k <= 10; k++) {
    status = mbd_simulation_run(simulation, 0.1 * k);
    printf("%.1f s:", info->t);
    for (int i = 0; i < model->nq && i < 8; i++) printf(" %9.5f", info->q[i]);
    printf("\n");
  }
  if (status != MBD_OK) {
    fprintf(stderr, "%s\n", mbd_status_string(status));
    return 1;
  }
  const double error = info->energy - info->energy_start - info->work;
  printf("%ld steps of %s, %d charts\n", info->steps, mbd_method_name(info->method), info->charts);
  printf(
    "loops open by %.1e m; energy balance %.1e of %.1f J\n", info->error_position, error,
    info->energy);
  const int code = fabs(error) < 1e-6 * (1 + fabs(info->energy)) ? 0 : 1;
  mbd_simulation_destroy(simulation);
  mbdx_mechanism_free(mechanism);
  mbdx_report_free(report);
  return code;
}
