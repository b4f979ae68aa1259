/** The absolute `Location` of a created resource. */
export function locationOf(publicUrl: string, path: string): string {
  return `${publicUrl}/api/v1${path}`;
}
