#include "sensors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// samples on their way are a ring: [first, first + count)
struct sensors_private {
  sensor_sample_t * ring;
  size_t capacity, first, count;
  double * memory;
  uint64_t state;  // of the random numbers
  double spare;    // the second of a pair of normal numbers
  bool has_spare;
};

//---------- random numbers ----------

// splitmix64
static uint64_t
random_bits(struct sensors_private * p)
{
  uint64_t x = (p->state += 0x9e3779b97f4a7c15u);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// uniform in [0, 1)
static double
random_share(struct sensors_private * p)
{
  return (double)(random_bits(p) >> 11) * 0x1p-53;
}

// normal, deviation 1, by Marsaglia's polar method
static double
random_normal(struct sensors_private * p)
{
  if (p->has_spare) {
    p->has_spare = false;
    return p->spare;
  }
  double x, y, square;
  do {
    x = 2 * random_share(p) - 1;
    y = 2 * random_share(p) - 1;
    square = x * x + y * y;
  } while (square >= 1 || square == 0);
  const double factor = sqrt(-2 * log(square) / square);
  p->spare = y * factor;
  p->has_spare = true;
  return x * factor;
}

//---------- set-up ----------

sensors_t *
sensors_create(size_t n, size_t capacity, uint64_t seed)
{
  sensors_t * sensors = calloc(1, sizeof *sensors);
  struct sensors_private * p = calloc(1, sizeof *p);
  if (sensors == NULL || p == NULL) {
    free(sensors), free(p);
    return NULL;
  }
  sensors->n = n;
  sensors->p = p;
  p->state = seed;
  p->capacity = capacity > 0 ? capacity : 1;
  p->ring = calloc(p->capacity, sizeof *p->ring);
  p->memory = calloc(3 * n * p->capacity + 1, sizeof *p->memory);
  if (p->ring == NULL || p->memory == NULL) {
    sensors_destroy(sensors);
    return NULL;
  }
  for (size_t i = 0; i < p->capacity; i++) {
    p->ring[i].position = p->memory + 3 * n * i;
    p->ring[i].velocity = p->ring[i].position + n;
    p->ring[i].effort = p->ring[i].velocity + n;
  }
  return sensors;
}

void
sensors_destroy(sensors_t * sensors)
{
  if (sensors == NULL) return;
  free(sensors->p->ring);
  free(sensors->p->memory);
  free(sensors->p);
  free(sensors);
}

//---------- measurements ----------

static void
add_noise(sensors_t * sensors, double deviation, const double * from, double * to)
{
  for (size_t i = 0; i < sensors->n; i++) {
    to[i] = from[i];
    if (deviation > 0) to[i] += deviation * random_normal(sensors->p);
  }
}

void
sensors_measure(
  sensors_t * sensors, const sensor_settings_t * settings, const sensor_sample_t * truth)
{
  struct sensors_private * p = sensors->p;
  if (settings->dropout > 0 && random_share(p) < settings->dropout) {
    sensors->lost++;
    return;
  }
  if (p->count == p->capacity) {
    p->first = (p->first + 1) % p->capacity;
    p->count--;
    sensors->overflow++;
  }
  sensor_sample_t * sample = &p->ring[(p->first + p->count++) % p->capacity];
  sample->time = truth->time;
  sample->stamp = truth->stamp;
  add_noise(sensors, settings->position, truth->position, sample->position);
  add_noise(sensors, settings->velocity, truth->velocity, sample->velocity);
  add_noise(sensors, settings->effort, truth->effort, sample->effort);
  memcpy(sample->base, truth->base, sizeof sample->base);
}

const sensor_sample_t *
sensors_next(sensors_t * sensors, const sensor_settings_t * settings, int64_t now)
{
  struct sensors_private * p = sensors->p;
  if (p->count == 0) return NULL;
  const sensor_sample_t * sample = &p->ring[p->first];
  if (now - sample->time < llround(1e9 * settings->delay)) return NULL;
  p->first = (p->first + 1) % p->capacity;
  p->count--;
  return sample;
}

void
sensors_clear(sensors_t * sensors)
{
  sensors->p->first = sensors->p->count = 0;
}
