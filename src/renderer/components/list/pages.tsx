import { Group, Pagination } from '@mantine/core'
import { text } from '../strings.ts'

interface Props {
  readonly page: number
  readonly pageCount: number
  readonly onChange: (page: number) => void
}

/** The ways to the other pages of a list; nothing where it has one. */
export function Pages({ page, pageCount, onChange }: Props) {
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
