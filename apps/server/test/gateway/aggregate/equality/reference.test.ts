import { startUpstream } from '@gatehouse/testing';
import { describe } from 'vitest';
import { use } from '../../../support/use.ts';
import { useFixture } from '../../fixture.ts';
import { checkEquality } from './check-equality.ts';
import { openSides } from './open-sides.ts';

const ERAS = ['legacy', 'modern'] as const;

/** It asks whatever the client has declared. */
const ASKING = ['test_sampling'];

const fixture = useFixture();

describe.each(ERAS)('a client of the %s era', (client) => {
  describe.each(ERAS)('at the one URL of the reference server in the %s era', (era) => {
    const upstream = use(() => startUpstream({ era }));
    const eras = { client, upstream: era };
    checkEquality({
      eras,
      open: () => openSides(fixture, { name: `${client} ${era}`, url: upstream.url }, eras),
      asking: client === 'modern' && era === 'legacy' ? ASKING : [],
      argumentsFor: {
        slow: { milliseconds: 10 },
        large_result: { bytes: 100_000 },
        test_sampling: { prompt: 'x' },
        // Last: each stream that is opened soon after hears of the change.
        test_trigger_prompt_change: {},
        test_trigger_tool_change: {},
      },
    });
  });
});
