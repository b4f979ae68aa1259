import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * Whether a part of a view, and the view, have not been left since they opened: a person who went on while an answer
 * was on its way is not brought back by it.
 */
export function useStillHere(): () => boolean {
  const { history } = useRouter();
  const [here] = useState(history.location.pathname);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  // A view stays shown while the next one loads.
  return useCallback(() => isShown.current && history.location.pathname === here, [history, here]);
}
