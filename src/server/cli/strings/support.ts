import { formatCounted, formatSize } from '../../../shared/wording/format.ts'

/** Texts of `support-bundle`. */
export const text = {
  description: 'Collect versions, settings, state and log lines in a file for support',
  output: 'File to write (default: tidegate-support-<time>.zip in this folder)',
  written: (file: string, bytes: number) => `${file} (${formatSize(bytes)}) contains:`,
  headings: ['FILE', 'CONTENTS'],
  none: 'nothing',
  contents: {
    versions: 'Versions of Tidegate, Node and the operating system',
    settings: 'Settings and where they come from; of secrets only the names of their files',
    status: 'State of the running server',
    database: 'Size, schema and row counts of the database, and what "doctor" finds',
    log: (lines: number) => `The last ${formatCounted(lines, 'line')} of the log`,
  },
  withoutLog:
    'The log is not in it, because it goes to stderr, or is in another file than these settings say. Give --log-file, or add the lines that your service manager keeps.',
  notInIt:
    'It has no API keys, no device IDs and no log of requests. It has paths and names of apps: read it before you send it.',
  exists: (file: string) => `${file} already exists; choose another file with --output`,
} as const
