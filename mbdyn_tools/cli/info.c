// `mbdyn info`: what a robot description contains.
#include "info.h"

#include "args.h"
#include "command.h"
#include "mbdyn/spatial.h"
#include "robot_options.h"

static const usage_t USAGE = {
  .command = "info",
  .operand = "ROBOT.urdf",
  .intro =
    "Show the model that mbdyn builds from a robot description: the joint tree with indices into "
    "q\n"
    "and v, limits, drives, masses, frames, loop closures and gears with the remaining degrees of\n"
    "freedom, the error of the reflected-inertia approximation of rotors, and everything that was\n"
    "merged, ignored or changed while loading.",
  .details =
    "Joints are numbered depth first from the base, siblings sorted by name. A link on a fixed\n"
    "joint is merged into its parent body and remains available as a frame. Joint axes are in "
    "link\n"
    "axes; centres of mass are in the link frame [m] and include merged links. Units: rad and N m\n"
    "for revolute joints, m and N for prismatic joints.\n\n"
    "exit code: 0 success; 2 wrong usage, invalid robot, or output that cannot be written\n\n"
    "examples:\n"
    "  mbdyn info arm.urdf\n"
    "  mbdyn info --json --base floating quadruped.urdf\n"
    "  mbdyn info --root fl_foot quadruped.urdf",
};

static const char *
take_json(void * target, const char * value)
{
  (void)value;
  *(bool *)target = true;
  return NULL;
}

static const option_t OPTIONS[] = {
  {"--json", NULL, "print JSON", take_json},
  {NULL, NULL, NULL, NULL},
};

bool
info_axis(const mbd_model_t * model, const mbd_body_t * body, mbd_vec3_t * axis)
{
  switch (body->type) {
    case MBD_JOINT_REVOLUTE:
    case MBD_JOINT_CONTINUOUS:
    case MBD_JOINT_PRISMATIC:
    case MBD_JOINT_HELICAL:
    case MBD_JOINT_CYLINDRICAL:
    case MBD_JOINT_PLANAR: break;
    default: return false;
  }
  // z of the body frame, seen from the link frame
  *axis = mbdu_mat3_tvec(&model->frame[body->link_frame].X.R, mbdu_vec3(0, 0, 1));
  return true;
}

bool
info_com(const mbd_model_t * model, const mbd_body_t * body, mbd_vec3_t * com)
{
  if (!(body->inertia.mass > 0)) return false;
  const mbd_vec3_t in_body = mbdu_vec3_scale(1 / body->inertia.mass, body->inertia.h);
  const mbd_placement_t X = mbdu_placement_inverse(&model->frame[body->link_frame].X);
  *com = mbdu_placement_point(&X, in_body);
  return true;
}

int
info_link_count(const mbd_model_t * model)
{
  int n = 0;
  for (int i = 0; i < model->nframe; i++) n += model->frame[i].is_link ? 1 : 0;
  return n;
}

int
info_main(int argc, char ** argv)
{
  robot_options_t options = robot_options_default();
  bool json = false;
  const option_group_t groups[] = {
    {OPTIONS, &json}, {ROOT_OPTIONS, &options}, {ROBOT_OPTIONS, &options}, {NULL, NULL}};
  const char * path;
  const int code = args_parse(&USAGE, groups, argc, argv, &path);
  if (code >= 0) return code;

  robot_embed(&options);
  robot_allow_flexible(&options);
  robot_t robot = robot_read(path, &options);
  if (robot.status == MBD_OK) {
    const mbd_model_t * model = robot.model;
    info_rotors_t rotors;
    const bool approximate = info_rotor_error(path, &options, model, &rotors);
    const info_t info = {
      model->tree ? model->tree : model,
      model,
      approximate ? &rotors : NULL,
      robot.report,
      robot.flexible,
      robot.flexible_report,
      options.root || options.urdf.base == MBDX_BASE_FLOATING};
    (json ? info_json : info_text)(&info);
  } else {
    robot_print_report(stderr, robot.report, MBDX_WARNING);
    robot_print_report(stderr, robot.flexible_report, MBDX_WARNING);
  }
  const bool loaded = robot.status == MBD_OK;
  robot_free(&robot);
  return loaded ? CLI_OK : CLI_TROUBLE;
}
