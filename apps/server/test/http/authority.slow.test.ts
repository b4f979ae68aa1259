import { useServer } from '../support/server.ts';
import { describeAuthority, othersOfClass } from './authority.ts';

describeAuthority(othersOfClass, useServer());
