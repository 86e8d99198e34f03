// The module mbdyn._mbdyn.
#include "mbdyn_python.h"

static PyModuleDef definition = {
  .m_base = PyModuleDef_HEAD_INIT,
  .m_name = "mbdyn._mbdyn",
  .m_doc = "Multibody dynamics in C. Import mbdyn, not this module.",
  .m_size = -1};

PyMODINIT_FUNC PyInit__mbdyn(void);

PyMODINIT_FUNC
PyInit__mbdyn(void)
{
  PyObject * module = PyModule_Create(&definition);
  if (module == NULL) return NULL;
  const bool ok =
    mbp_array_init() && mbp_generated_init() && mbp_errors_init(module) && mbp_model_init(module) &&
    mbp_view_init(module) && mbp_data_init(module) && mbp_batch_init(module) &&
    mbp_simulation_init(module) && mbp_parts_init(module) && mbp_builder_init(module) &&
    mbp_ik_init() && PyModule_AddIntConstant(module, "LOCAL", MBD_LOCAL) == 0 &&
    PyModule_AddIntConstant(module, "WORLD", MBD_WORLD) == 0 &&
    PyModule_AddIntConstant(module, "LOCAL_WORLD_ALIGNED", MBD_LOCAL_WORLD_ALIGNED) == 0 &&
    PyModule_AddIntConstant(module, "TERM_FRICTION", MBD_TERM_FRICTION) == 0 &&
    PyModule_AddIntConstant(module, "TERM_ROTORS", MBD_TERM_ROTORS) == 0 &&
    PyModule_AddIntConstant(module, "TERM_ELEMENTS", MBD_TERM_ELEMENTS) == 0 &&
    PyModule_AddStringConstant(module, "__version__", MBDYN_VERSION) == 0;
  if (!ok) Py_CLEAR(module);
  return module;
}
