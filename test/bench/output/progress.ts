/** One line of progress on stderr: stdout is for the tables. */
export function showProgress(line: string): void {
  process.stderr.write(`bench: ${line}\n`)
}
