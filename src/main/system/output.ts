/**
 * Keeps the app running when output to its terminal cannot be written: the terminal may be closed, or
 * the disk of redirected output full.
 */
export function surviveBrokenOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
