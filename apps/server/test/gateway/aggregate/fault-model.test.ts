import { it } from 'vitest';
import { useFaultModel } from './fault-model/run.ts';

const walk = useFaultModel();

it(
  'lists and calls of ten upstreams under faults are as the model says',
  () => walk(3, 30),
  180_000,
);
