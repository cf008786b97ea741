import type { z } from 'zod'
import { showInvisible } from '../../../shared/basics/visible.ts'
import { OTHER } from '../../../shared/devices/counting.ts'
import { text as words } from '../strings/common.ts'

/** Writes a line to stdout. */
export function print(line: string): void {
  process.stdout.write(`${visible(line)}\n`)
}

/** Writes a line about the progress of the work, or a warning, to stderr. */
export function report(line: string): void {
  process.stderr.write(`${visible(line)}\n`)
}

/** Writes one JSON document, as its schema describes it, to stdout. */
export function printJson<Schema extends z.ZodType>(
  _schema: Schema,
  document: z.output<Schema>,
): void {
  process.stdout.write(jsonOf(document))
}

/** Prints what a command has found or done: with `--json` as one document, else in lines, or as `inWords` prints it. */
export function printAnswer<Schema extends z.ZodType>(
  { json }: { readonly json?: boolean },
  schema: Schema,
  document: z.output<Schema>,
  inWords: string | readonly string[] | (() => void),
): void {
  if (json) printJson(schema, document)
  else if (typeof inWords === 'function') inWords()
  else for (const line of [inWords].flat()) print(line)
}

/** Writes one JSON document about an error to stderr. */
export function reportJson(document: unknown): void {
  process.stderr.write(jsonOf(document))
}

function jsonOf(document: unknown): string {
  const lines = JSON.stringify(document, null, 2).split('\n')
  return `${lines.map(visible).join('\n')}\n`
}

/** Writes rows under their headings to stdout, columns aligned; `empty` if there is no row. */
export function printTable(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  empty: string,
): void {
  if (rows.length === 0) {
    print(empty)
    return
  }
  const lines = [headings, ...rows.map((row) => row.map((cell) => String(cell ?? words.none)))]
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  const isNumber = headings.map((_, column) => rows.every((row) => typeof row[column] === 'number'))
  for (const line of lines) {
    const cells = line.map((cell, column) => {
      const width = widths[column] ?? 0
      return isNumber[column] === true ? cell.padStart(width) : cell.padEnd(width)
    })
    print(cells.join('  ').trimEnd())
  }
}

/** Devices choose their labels: what steers a terminal or is invisible there is shown as its JSON escape. */
function visible(line: string): string {
  return showInvisible(line, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
  })
}

export type Cell = string | number | null

/** `labels ring=beta, site=Graz`, or `no labels`. */
export function labelsInWords(labels: Readonly<Record<string, string>>): string {
  return words.labels(Object.entries(labels).map(([key, value]) => `${key}=${value}`))
}

/** A version, platform or architecture; `Other` for those that are counted together. */
export function runningInWords(text: string): string {
  return text === OTHER ? words.other : text
}
