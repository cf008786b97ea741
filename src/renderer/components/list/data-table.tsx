import { Group, Pagination, Table, type TableProps, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { focusIfScrolled } from '../blocks.tsx'
import { text } from '../strings.ts'

/** A column, with what it shows of a row. */
export interface Column<Row> {
  /** Its heading; empty for none. */
  readonly name: string
  /** Whether its name is for screen readers only, as over buttons. */
  readonly isUnnamed?: boolean
  /** Where numbers and buttons stand. */
  readonly ta?: 'end'
  readonly w?: number
  /** Of its cells, and of its heading. */
  readonly className?: string | undefined
  readonly headClass?: string | undefined
  /** What the pointer shows over the cell. */
  readonly titleOf?: (row: Row) => string
  readonly cell: (row: Row) => ReactNode
}

interface Props<Row> extends Omit<TableProps, 'data' | 'children'> {
  readonly label?: string
  readonly rows: readonly Row[]
  /** Returns what tells a row from the others. */
  readonly keyOf: (row: Row) => string
  /** Those that are false are left out. */
  readonly columns: readonly (Column<Row> | false)[]
  readonly rowClass?: string | undefined
}

/** A table with a heading for each column and a line for each row. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, rows, keyOf, columns, rowClass, ...table } = props
  const shown = columns.filter((column) => column !== false)
  return (
    <div ref={focusIfScrolled} className="scrolls">
      <Table aria-label={label} {...table}>
        <Table.Thead>
          <Table.Tr>
            {shown.map(({ name, isUnnamed, ta, w, headClass }) => {
              const Cell = name === '' ? Table.Td : Table.Th
              return (
                <Cell key={name} ta={ta} w={w} className={headClass}>
                  {isUnnamed ? <VisuallyHidden>{name}</VisuallyHidden> : name}
                </Cell>
              )
            })}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)} className={rowClass}>
              {shown.map(({ name, ta, className, titleOf, cell }) => (
                <Table.Td key={name} ta={ta} className={className} title={titleOf?.(row)}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

interface PagesProps {
  readonly page: number
  readonly pageCount: number
  readonly onChange: (page: number) => void
}

/** The ways to the other pages of a list; nothing where it has one. */
export function Pages({ page, pageCount, onChange }: PagesProps) {
  if (pageCount <= 1) return null
  return (
    <Group justify="end" mt="md">
      <Pagination
        component="nav"
        aria-label={text.pages}
        size="sm"
        total={pageCount}
        value={page}
        onChange={onChange}
        getItemProps={(number) => ({ 'aria-label': text.page(number) })}
        getControlProps={(control) => ({ 'aria-label': text.goToPage(control) })}
      />
    </Group>
  )
}
