// The same from C++: gravity torques, with the C interface in smart pointers.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"

using Model = std::unique_ptr<mbd_model_t, decltype(&mbd_model_destroy)>;
using Data = std::unique_ptr<mbd_data_t, decltype(&mbd_data_destroy)>;
using Report = std::unique_ptr<mbdx_report_t, decltype(&mbdx_report_free)>;

static void
check(mbd_status_t status)
{
  if (status != MBD_OK) throw std::runtime_error(mbd_status_string(status));
}

static Model
load(const char * path)
{
  mbd_model_t * model = nullptr;
  mbdx_report_t * report = nullptr;
  const mbd_status_t status = mbdx_urdf_load_file(path, nullptr, &model, &report);
  const Report owner(report, mbdx_report_free);
  for (int i = 0; report && i < report->n; i++) std::fprintf(stderr, "%s\n", report->entry[i].text);
  check(status);
  return Model(model, mbd_model_destroy);
}

int
main(int argc, char ** argv)
try {
  if (argc != 2) throw std::runtime_error("usage: gravity ROBOT.urdf");
  const Model model = load(argv[1]);
  mbd_data_t * raw = nullptr;
  check(mbd_data_create(model.get(), &raw));
  const Data data(raw, mbd_data_destroy);

  std::vector<double> q(model->nq), g(model->nv);
  check(mbd_neutral(model.get(), q.data()));
  check(mbd_set_position(model.get(), data.get(), q.data()));
  check(mbd_gravity(model.get(), data.get(), g.data()));
  for (int i = 0; i < model->nv; i++)
    std::printf("%-12s %10.4f N m\n", model->body[model->dof_body[i]].joint_name, g[i]);
  return 0;
} catch (const std::exception & error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
