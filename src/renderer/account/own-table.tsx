import { Button, Table, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'

interface Row {
  readonly key: string
  /** One for each column. */
  readonly cells: readonly ReactNode[]
  /** The button at the end of the row. `label`: what it is called for itself, as it is in many rows. */
  readonly action?:
    | { readonly name: string; readonly label: string; readonly onClick: () => void }
    | undefined
}

interface Props {
  readonly label: string
  /** The columns beside that of the buttons, which is `actions`. */
  readonly columns: readonly string[]
  readonly actions: string
  readonly rows: readonly Row[]
}

/** A table of what belongs to the account, with a button to take it away. */
export function OwnTable({ label, columns, actions, rows }: Props) {
  return (
    <Table aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <Table.Th key={column}>{column}</Table.Th>
          ))}
          <Table.Th w={96}>
            <VisuallyHidden>{actions}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, cells, action }) => (
          <Table.Tr key={key}>
            {columns.map((column, index) => (
              <Table.Td key={column}>{cells[index]}</Table.Td>
            ))}
            <Table.Td ta="end">
              {action !== undefined && (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={action.label}
                  onClick={action.onClick}
                >
                  {action.name}
                </Button>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
