/**
 * Keeps the app alive when what it writes to its terminal cannot be written: the terminal may have
 * been closed, and the disk of a redirected output may be full.
 */
export function surviveBrokenOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
