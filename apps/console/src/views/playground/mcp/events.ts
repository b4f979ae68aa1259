/**
 * Reads an event stream as it arrives (WHATWG HTML, section 9.2.6); fields other than `data` mean nothing here.
 *
 * @returns a function that takes the next piece of text, and returns the data of each event that it completes
 */
export function createEventReader(): (text: string) => string[] {
  let rest = '';
  let data: string[] = [];
  return (text) => {
    // A CR at the end may be the first half of CRLF.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    const events: string[] = [];
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push(data.join('\n'));
        data = [];
      } else if (line === 'data' || line.startsWith('data:')) {
        data.push(line.slice(5).replace(/^ /, ''));
      }
    }
    return events;
  };
}
