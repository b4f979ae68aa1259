import type { Place } from './tree.ts';

export function bashScript(places: readonly Place[]): string {
  return `_gatehouse() {
  local words
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1}" in
${places.map(branchOf).join('\n')}
    *) words="" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _gatehouse gatehouse`;
}

/** Whatever follows a command are its options and their values. */
function branchOf({ words, completions }: Place): string {
  const pattern = words.length === 0 ? '""' : `"${words.join(' ')}"|"${words.join(' ')} "*`;
  return `    ${pattern}) words="${completions.map(({ word }) => word).join(' ')}" ;;`;
}
