import { VisuallyHidden } from '@mantine/core'
import { IconFilePencil } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Draft } from '../../../shared/releases/draft.ts'
import { formatCount } from '../../../shared/wording/format.ts'
import { useAccess } from '../../bridge/access.ts'
import { server } from '../../bridge/clients.ts'
import { LinkButton, Panel } from '../../components/blocks.tsx'
import { DataTable, Pages } from '../../components/list/data-table.tsx'
import rows from '../../components/list/linked-rows.module.css'
import { EmptyState } from '../../components/loading/empty-state.tsx'
import { Loaded } from '../../components/loading/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import { Small, When } from '../../components/text/words.tsx'
import { paths } from '../../paths.ts'
import { text } from './strings.ts'

const PER_PAGE = 25

/** The releases that are being put together, the one that changed last first. */
export function Component() {
  const [page, setPage] = useState(1)
  const drafts = useQuery({
    ...server.drafts.list.queryOptions({ page, perPage: PER_PAGE }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHeader
        title={text.title}
        description={text.description}
        trail={[{ name: text.releases, to: paths.releases }]}
        actions={<NewDraft />}
      />
      <Loaded query={drafts}>
        {({ drafts: shown, pageCount, total }) =>
          total === 0 ? (
            <NoDrafts />
          ) : (
            <>
              <DraftsTable drafts={shown} total={total} />
              <Pages page={page} pageCount={pageCount} onChange={setPage} />
            </>
          )
        }
      </Loaded>
    </>
  )
}

function NewDraft() {
  if (!useAccess().mayInSomeApp('release_manager')) return null
  return <LinkButton to={paths.publish}>{text.newDraft}</LinkButton>
}

function NoDrafts() {
  const mayPublish = useAccess().mayInSomeApp('release_manager')
  return (
    <EmptyState
      icon={IconFilePencil}
      title={text.empty}
      hint={mayPublish ? text.emptyHint : text.emptyForViewers}
    />
  )
}

interface Props {
  readonly drafts: readonly Draft[]
  /** How many there are on all pages. */
  readonly total: number
}

/** Drafts as rows; the link in the first cell covers the row. */
function DraftsTable({ drafts, total }: Props) {
  return (
    <Panel flush title={<span role="status">{text.count(total)}</span>}>
      <DataTable
        label={text.title}
        className={rows.table}
        rowClass={rows.row}
        rows={drafts}
        keyOf={paths.draft}
        columns={[
          { name: text.draft, cell: (draft) => <DraftLink draft={draft} /> },
          { name: text.artifacts, ta: 'end', cell: (draft) => formatCount(draft.artifacts.length) },
          { name: text.changed, cell: ({ updatedAt }) => <When at={updatedAt} /> },
          { name: text.expires, cell: ({ expiresAt }) => <When at={expiresAt} /> },
        ]}
      />
    </Panel>
  )
}

function DraftLink({ draft }: { readonly draft: Draft }) {
  const { app, channel, version } = draft
  return (
    <Link className={rows.link} to={paths.draft(draft)}>
      <VersionBadge app={app} version={version} />
      <VisuallyHidden>{text.of}</VisuallyHidden>
      <Small span ml="xs" className="cut">
        {`${app}/${channel}`}
      </Small>
    </Link>
  )
}
