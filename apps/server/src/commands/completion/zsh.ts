import type { Place } from './tree.ts';

export function zshScript(places: readonly Place[]): string {
  return `_gatehouse() {
  local -a found
  case "\${(j: :)words[2,CURRENT-1]}" in
${places.map(branchOf).join('\n')}
  esac
  _describe gatehouse found
}
compdef _gatehouse gatehouse`;
}

function branchOf({ words, completions }: Place): string {
  const pattern = words.length === 0 ? '""' : `"${words.join(' ')}"|"${words.join(' ')} "*`;
  return `    ${pattern}) found=(${completions.map(({ word, purpose }) => quoted(`${word}:${purpose}`)).join(' ')}) ;;`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
