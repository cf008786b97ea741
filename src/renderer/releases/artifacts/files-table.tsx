import { ScrollArea, Table } from '@mantine/core'
import { fileNameOf } from '../../../shared/artifacts/address.ts'
import type { Artifact } from '../../../shared/release.ts'
import { formatSize } from '../../../shared/wording/format.ts'
import classes from './artifacts.module.css'
import { targetInWords, text } from './strings.ts'

/** The files that are about to be published, one a row, for a last look. */
export function FilesTable({ artifacts }: { readonly artifacts: readonly Artifact[] }) {
  return (
    <ScrollArea.Autosize mah={240} type="auto" viewportProps={{ tabIndex: 0 }}>
      <Table aria-label={text.files} verticalSpacing={4} horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.file}</Table.Th>
            <Table.Th>{text.devices}</Table.Th>
            <Table.Th ta="end">{text.size}</Table.Th>
            <Table.Th>{text.signature}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {artifacts.map(({ platform, arch, kind, url, size, signature }) => (
            <Table.Tr key={targetInWords({ platform, arch, kind })}>
              <Table.Td className={classes.fileName} title={url}>
                {fileNameOf(url) || url}
              </Table.Td>
              <Table.Td>{targetInWords({ platform, arch, kind })}</Table.Td>
              <Table.Td ta="end">{size === 0 ? '–' : formatSize(size)}</Table.Td>
              <Table.Td>{signature === '' ? text.unsigned : text.signed}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  )
}
