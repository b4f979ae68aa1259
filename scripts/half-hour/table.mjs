/**
 * Prints a line for each step and each figure.
 *
 * @returns how many calls failed in all
 */
export function printTable(rows, figures) {
  const widths = [34, 10, 12, 12];
  const print = (...cells) =>
    console.log(cells.map((cell, index) => pad(cell, widths[index], index)).join(''));
  console.log('');
  print('step', 'seconds', 'calls made', 'failed');
  for (const { title, seconds, made, failed } of rows) {
    print(title, seconds.toFixed(1), made ?? '', failed ?? '');
  }
  const sum = (of) => rows.reduce((total, row) => total + (row[of] ?? 0), 0);
  print('in all', sum('seconds').toFixed(1), sum('made'), sum('failed'));
  console.log('');
  for (const [name, value] of Object.entries(figures))
    console.log(`${name.padEnd(widths[0])}  ${value}`);
  return sum('failed');
}

function pad(cell, width, index) {
  return index === 0 ? String(cell).padEnd(width) : String(cell).padStart(width);
}
