// A plug-in of QEMU's user emulation that counts instructions and prints them on standard error at the end.
// The few declarations are those of QEMU's plug-in interface, whose header Debian does not install.
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

struct qemu_plugin_tb;
typedef uint64_t qemu_plugin_id_t;
enum { QEMU_PLUGIN_INLINE_ADD_U64 };
typedef void (*translated_t)(qemu_plugin_id_t id, struct qemu_plugin_tb * block);
typedef void (*ended_t)(qemu_plugin_id_t id, void * data);
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, translated_t function);
extern void qemu_plugin_register_vcpu_tb_exec_inline(
  struct qemu_plugin_tb * block, int operation, void * counter, uint64_t value);
extern void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, ended_t function, void * data);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb * block);

extern int qemu_plugin_version;
extern int qemu_plugin_install(qemu_plugin_id_t id, const void * info, int argc, char ** argv);

int qemu_plugin_version = 1;

static uint64_t count;

static void
translated(qemu_plugin_id_t id, struct qemu_plugin_tb * block)
{
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_inline(
    block, QEMU_PLUGIN_INLINE_ADD_U64, &count, qemu_plugin_tb_n_insns(block));
}

static void
ended(qemu_plugin_id_t id, void * data)
{
  (void)id, (void)data;
  fprintf(stderr, "instructions %" PRIu64 "\n", count);
}

int
qemu_plugin_install(qemu_plugin_id_t id, const void * info, int argc, char ** argv)
{
  (void)info, (void)argc, (void)argv;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
