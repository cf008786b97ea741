import type { ReleaseStatus } from '../../../shared/release.ts'
import type {
  CheckedFile,
  CheckedTarget,
  ReleaseCheckCode,
  UpdaterClient,
} from '../../../shared/release-check.ts'
import { formatCounted, formatList } from '../../../shared/wording/format.ts'
import { systemInWords } from '../../../shared/wording/system.ts'
import { CLIENT_NAMES } from '../../../shared/wording/updater-client.ts'

const NOTHING_INSTALLED = 'no file of a kind that it installs'

const REASONS: Readonly<Record<Exclude<ReleaseCheckCode, 'not_installed'>, string>> = {
  unsigned: 'no signature',
  signature_form: 'signature in another format',
  delta: 'delta package of an unknown one',
  delta_base: 'delta package of one that no other release on the channel has',
  needed_file_missing: 'not without a file that it installs',
  another_first: 'another file is offered first',
}

/** Texts of `release check`. */
export const text = {
  description: 'Show which files of a release each updater is offered, and why not',
  client: (clients: readonly string[]) =>
    `Check only this client: ${clients.join(', ')}; repeatable (default: all but update_check, which hands out any file)`,
  headings: ['CLIENT', 'PLATFORM', 'ARCH', 'OFFERED'],
  row: ({ client, platform, arch, offered, notOffered, floors, document }: CheckedTarget) => {
    const files = offered.map(named).join(', ') || `Nothing (${reasonsOf(notOffered)})`
    const signed = document === undefined ? [] : [`${document} as its publisher signed it`]
    const older = floors.map(
      ({ below, version }) => `below ${systemInWords(platform, below)}: ${version ?? 'nothing'}`,
    )
    return [CLIENT_NAMES[client], platform, arch, [files, ...signed, ...older].join('; ')]
  },
  floors:
    'Devices that do not say which operating system they run are offered the files whatever it is.',
  empty: 'No files to offer to these clients.',
  notPublished: (version: string, status: ReleaseStatus) =>
    `${version} is ${status.replaceAll('_', ' ')}, so it is not offered now.`,
  unoffered: (files: readonly CheckedFile[], clients: readonly UpdaterClient[] | undefined) => {
    const to =
      clients === undefined
        ? 'any updater'
        : formatList(
            clients.map((client) => CLIENT_NAMES[client]),
            'or',
          )
    return `${formatCounted(files.length, 'file is', 'files are')} not offered to ${to}: ${formatList(files.map(named))}`
  },
} as const

/** Files of other updaters are to be expected, and go without saying beside one that lacks something. */
function reasonsOf(files: CheckedTarget['notOffered']): string {
  const lacking = files.flatMap((each) =>
    each.code === 'not_installed' ? [] : [`${named(each)}: ${REASONS[each.code]}`],
  )
  return lacking.length === 0 ? NOTHING_INSTALLED : lacking.join('; ')
}

function named({ file, kind }: CheckedFile): string {
  return kind === '' ? file : `${file} (${kind})`
}
