import { type Icon, IconPlus } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { NEW } from '../../paths.ts'
import { PlainButton } from '../blocks.tsx'
import type { DialogProps } from '../dialog/dialog.tsx'
import { EmptyState } from '../loading/empty-state.tsx'
import { Loaded } from '../loading/loading.tsx'
import { PageHeader } from '../page-header.tsx'

interface Props<Item> {
  readonly title: string
  readonly description: string
  readonly query: UseQueryResult<readonly Item[], unknown>
  /** What the button says that adds an item; undefined for those who may not. */
  readonly create: string | undefined
  /** What is asked for a new item. */
  readonly dialog: ComponentType<DialogProps>
  /** What is said while there is no item. */
  readonly empty: { readonly icon: Icon; readonly title: string; readonly hint: string }
  readonly children: (items: readonly Item[]) => ReactNode
}

/** A screen with a list, and a dialog that adds to it. */
export function ListScreen<Item>(props: Props<Item>) {
  const { title, description, query, create, dialog: NewDialog, empty, children } = props
  const [opened, setOpened] = useNewDialog()
  const button = create !== undefined && (
    <PlainButton variant="filled" icon={IconPlus} onClick={() => setOpened(true)}>
      {create}
    </PlainButton>
  )
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={(query.data?.length ?? 0) > 0 && button}
      />
      <Loaded query={query}>
        {(items) =>
          items.length > 0 ? (
            children(items)
          ) : (
            <EmptyState
              icon={empty.icon}
              title={empty.title}
              action={button || undefined}
              hint={empty.hint}
            />
          )
        }
      </Loaded>
      {create !== undefined && <NewDialog opened={opened} onClose={() => setOpened(false)} />}
    </>
  )
}

/**
 * Holds whether the dialog is open that adds something to a list. An address with `NEW` opens it and is then
 * without: no link and no way back may close a dialog that is sending, or that shows a secret.
 */
function useNewDialog(): [opened: boolean, setOpened: (opened: boolean) => void] {
  const [params, setParams] = useSearchParams()
  const [opened, setOpened] = useState(false)
  const isAsked = params.has(NEW)
  useEffect(() => {
    if (!isAsked) return
    setOpened(true)
    const without = (before: URLSearchParams) => {
      const next = new URLSearchParams(before)
      next.delete(NEW)
      return next
    }
    setParams(without, { replace: true })
  }, [isAsked, setParams])
  return [opened, setOpened]
}
