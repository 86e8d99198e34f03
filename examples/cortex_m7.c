// Generated code on a microcontroller: start-up of a Cortex-M7 that runs the self-test of `mbdyn codegen` in qemu.
//
//   mbdyn codegen robot.urdf --output . --prefix robot --vectors 1
//   arm-none-eabi-gcc -mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-d16 -O2 -ffp-contract=fast \
//     cortex_m7.c robot.c robot_selftest.c --specs=rdimon.specs -lm -Wl,--section-start=.vectors=0 -o robot.elf
//   qemu-system-arm -machine mps2-an500 -nographic -semihosting -kernel robot.elf
//
// Semihosting gives the program printf and an exit code; on a board of your own, take its start-up file in place of
// this one, and call the functions of robot.h from your control interrupt.
#include <stdint.h>

void _start(void);  // of newlib: clears memory, calls main
void cortex_m7_reset(void);
void cortex_m7_fault(void);

#define FPU_ACCESS (*(volatile uint32_t *)0xE000ED88)
#define BREAKPOINT __asm volatile("bkpt 0")

void
cortex_m7_reset(void)
{
  FPU_ACCESS |= 0xFu << 20;  // the floating-point unit is off after reset
  __asm volatile("dsb\n isb");
  _start();
  for (;;) BREAKPOINT;
}

void
cortex_m7_fault(void)
{
  for (;;) BREAKPOINT;
}

// top of the stack, reset, then faults
extern const uintptr_t cortex_m7_vectors[16];
__attribute__((section(".vectors"), used)) const uintptr_t cortex_m7_vectors[16] = {
  0x20400000,
  (uintptr_t)cortex_m7_reset,
  (uintptr_t)cortex_m7_fault,
  (uintptr_t)cortex_m7_fault,
  (uintptr_t)cortex_m7_fault,
  (uintptr_t)cortex_m7_fault,
  (uintptr_t)cortex_m7_fault,
};
