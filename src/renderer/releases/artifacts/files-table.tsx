import { Box } from '@mantine/core'
import { fileNameOf } from '../../../shared/artifacts/address.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import { systemInWords } from '../../../shared/wording/artifacts.ts'
import { formatSize } from '../../../shared/wording/format.ts'
import { DataTable } from '../../components/list/data-table.tsx'
import { targetInWords, text } from './strings.ts'

const hasFloor = ({ minimumSystemVersion }: Artifact) => minimumSystemVersion !== undefined

function floorInWords({ platform, minimumSystemVersion: floor }: Artifact): string {
  return floor === undefined ? '–' : systemInWords(platform, floor)
}

/** The files that are about to be published, one a row, for a last look. */
export function FilesTable({ artifacts }: { readonly artifacts: readonly Artifact[] }) {
  return (
    // What scrolls must be reached by keyboard.
    <Box mah={240} style={{ overflowY: 'auto' }} tabIndex={0}>
      <DataTable
        label={text.files}
        verticalSpacing={4}
        horizontalSpacing={8}
        rows={artifacts}
        keyOf={targetInWords}
        columns={[
          {
            name: text.file,
            className: 'wraps',
            titleOf: ({ url }) => url,
            cell: ({ url }) => fileNameOf(url) || url,
          },
          { name: text.devices, cell: targetInWords },
          ...(artifacts.some(hasFloor) ? [{ name: text.floor, cell: floorInWords }] : []),
          {
            ...{ name: text.size, ta: 'end' as const, className: 'cut' },
            cell: ({ size }) => (size === 0 ? '–' : formatSize(size)),
          },
          {
            name: text.signature,
            cell: ({ signature }) => (signature === '' ? text.unsigned : text.unchecked),
          },
        ]}
      />
    </Box>
  )
}
