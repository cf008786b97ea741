import { formatCounted, formatPercent } from '../../../shared/wording/format.ts'

/** Texts of `release`. */
export const text = {
  description: 'List, check and prove releases, and plan their rollouts',

  list: {
    description: 'List releases, latest first',
    channel: 'Only releases on this channel of the app',
    perPage: 'Releases per page, 1 to 100 (default: 20)',
    headings: ['APP', 'CHANNEL', 'VERSION', 'STATUS', 'ROLLOUT', 'OFFERED', 'ARTIFACTS', 'CREATED'],
    rollout: (percent: number) => formatPercent(percent),
    offered: 'yes',
    notOffered: 'no',
    empty: 'No releases found. Publish one with "publish".',
    pages: (page: number, pageCount: number, releases: number) =>
      `Page ${page} of ${pageCount}, ${formatCounted(releases, 'release')} in total`,
  },

  artifactForm: 'It must have the form platform=darwin,arch=aarch64,url=https://…,sha512=….',
  unknownMember: (name: string, known: readonly string[]) =>
    `${name} is not one of ${known.join(', ')}. Write a comma in a URL as %2C.`,
  repeatedMember: (name: string) => `It must have only one ${name}.`,
  wrongMember: (problem: string) => `${problem}.`,

  file: {
    problem: (option: string, file: string, problem: string) => `${option} ${file}: ${problem}`,
    notUtf8: 'is not valid UTF-8; save it as UTF-8',
    notJson: (reason: string) => `is not valid JSON (${reason})`,
  },
} as const
