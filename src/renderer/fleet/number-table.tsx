import { Table, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { formatCount } from '../../shared/wording/format.ts'
import classes from './charts.module.css'

interface Props {
  readonly caption: string
  /** The name of the first column, then one for each column of numbers. */
  readonly columns: readonly string[]
  readonly rows: readonly { readonly name: string; readonly numbers: readonly number[] }[]
  /** Only for screen readers where it is false. */
  readonly shown: boolean
}

/** The numbers of a chart: always there to be read aloud, seen when asked for. */
export function NumberTable({ caption, columns, rows, shown }: Props) {
  const id = useId()
  const table = (
    <Table layout="auto" horizontalSpacing={8} verticalSpacing={4} stickyHeader={shown}>
      <Table.Caption id={id} className={classes.caption ?? ''}>
        {caption}
      </Table.Caption>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column, index) => (
            <Table.Th key={column} scope="col" ta={index === 0 ? 'start' : 'end'}>
              {column}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ name, numbers }, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an hour has the same name twice when clocks go back
          <Table.Tr key={row}>
            <Table.Th scope="row">{name}</Table.Th>
            {numbers.map((number, index) => (
              <Table.Td key={columns[index + 1]} ta="end">
                {formatCount(number)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
  if (!shown) return <VisuallyHidden component="div">{table}</VisuallyHidden>
  return <Scrolling labelledBy={id}>{table}</Scrolling>
}

function Scrolling({ labelledBy, children }: { labelledBy: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls takes the focus
    <section className={classes.table} aria-labelledby={labelledBy} tabIndex={0}>
      {children}
    </section>
  )
}
