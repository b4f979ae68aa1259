import { useState } from 'react';
import { Shell } from './shell/shell.tsx';
import { type Overlay, Overlays } from './views/command/overlays.tsx';

/** The frame of every view, and what opens above all of them. */
export function Root() {
  const [overlay, setOverlay] = useState<Overlay>();
  return (
    <Shell onSearch={() => setOverlay('menu')}>
      <Overlays shown={overlay} onShow={setOverlay} />
    </Shell>
  );
}
