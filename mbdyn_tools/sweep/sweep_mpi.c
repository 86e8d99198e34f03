// Messages between the ranks of `mpirun mbdyn sweep`. A module of its own, so that mbdyn needs no MPI; loaded by
// sweep_run.c. Whether a rank may die without the others is up to MPI: it says so by errors, if it returns at all.
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#include "sweep.h"

enum { TAG = 1 };

static sweep_mpi_t ranks;

static long
receive(void * bytes, size_t most, int * from)
{
  MPI_Status status;
  int there = 0, n = 0;
  int error = MPI_SUCCESS;
  // waiting in MPI_Recv takes all of a core, which rank 0 needs for its own points
  for (int k = 0; ranks.rank == 0 && !there; k++) {
    error = MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status);
    if (error != MPI_SUCCESS) {
      *from = -1;
      return -1;
    }
    if (there) break;
    if (k == 5) return 0;
    const struct timespec nap = {0, 200000};
    nanosleep(&nap, NULL);
  }
  const int source = ranks.rank == 0 ? status.MPI_SOURCE : 0;
  *from = source;
  error = MPI_Recv(bytes, (int)most, MPI_BYTE, source, TAG, MPI_COMM_WORLD, &status);
  if (error != MPI_SUCCESS || MPI_Get_count(&status, MPI_BYTE, &n) != MPI_SUCCESS) return -1;
  return n;
}

static bool
send_bytes(int to, const void * bytes, size_t n)
{
  return MPI_Send(bytes, (int)n, MPI_BYTE, to, TAG, MPI_COMM_WORLD) == MPI_SUCCESS;
}

static void
finish(void)
{
  MPI_Finalize();
}

__attribute__((visibility("default"))) const sweep_mpi_t * mbdyn_sweep_mpi_open(void);

// NULL if MPI does not start; it has said why
const sweep_mpi_t *
mbdyn_sweep_mpi_open(void)
{
  int provided;
  // only the main thread sends and receives
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks.size);
  ranks.receive = receive;
  ranks.send = send_bytes;
  ranks.close = finish;
  return &ranks;
}
