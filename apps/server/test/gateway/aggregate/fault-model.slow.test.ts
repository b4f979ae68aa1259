import { it } from 'vitest';
import { useFaultModel } from './fault-model/run.ts';

const walk = useFaultModel();

it(
  'lists and calls of ten upstreams under faults are as the model says, for long',
  () => walk(12, 60),
  1_800_000,
);
