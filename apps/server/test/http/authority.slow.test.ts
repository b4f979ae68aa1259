import { useServer } from '../support/server.ts';
import { DISTINCT, describeAuthority, othersOfClass } from './authority.ts';

describeAuthority(othersOfClass, useServer(), DISTINCT);
