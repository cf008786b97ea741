import { Group, Kbd, Table } from '@mantine/core'
import { Dialog } from '../components/dialog/dialog.tsx'
import { modKey } from '../components/mod-key.ts'
import { SHORTCUTS, text } from './strings.ts'

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
}

/** The list of shortcuts. */
export function ShortcutsDialog({ opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={text.shortcuts}>
      <Table aria-label={text.shortcuts} highlightOnHover={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.shortcutColumns.action}</Table.Th>
            <Table.Th ta="end">{text.shortcutColumns.keys}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {SHORTCUTS.map(({ keys, action }) => (
            <Table.Tr key={action}>
              <Table.Td>{action}</Table.Td>
              <Table.Td>
                <Keys keys={keys} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  )
}

/** Keys that are pressed together. */
function Keys({ keys }: { readonly keys: readonly string[] }) {
  return (
    <Group gap={4} justify="end" wrap="nowrap">
      {keys.map((key) => (
        <Kbd key={key} size="xs">
          {key === 'mod' ? modKey : key}
        </Kbd>
      ))}
    </Group>
  )
}
