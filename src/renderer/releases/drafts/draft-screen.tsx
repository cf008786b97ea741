import { Badge, Group, Stack, Text } from '@mantine/core'
import { IconFileOff, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate, useParams } from 'react-router'
import type { Draft } from '../../../shared/releases/draft.ts'
import { useAccess } from '../../bridge/access.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import { isUnknown } from '../../bridge/error.ts'
import { ErrorNotice, Notice, Panel, PlainButton } from '../../components/blocks.tsx'
import { ChangeDialog } from '../../components/dialog/dialog-form.tsx'
import { EmptyState } from '../../components/loading/empty-state.tsx'
import { Loaded } from '../../components/loading/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import { When } from '../../components/text/words.tsx'
import { paths } from '../../paths.ts'
import { FilesTable } from '../artifacts/files-table.tsx'
import { Notes } from '../notes/notes.tsx'
import { PreflightPanel } from '../preflight/preflight-part.tsx'
import { DraftEditor } from './draft-editor.tsx'
import { DraftPreview } from './draft-preview.tsx'
import { text as listText, draftText as text } from './strings.ts'

/** One draft: edited, previewed as a device would see it, published or deleted. */
export function Component() {
  const { app = '', channel = '', version = '' } = useParams()
  const known = useQuery(server.drafts.get.queryOptions({ app, channel, version }))
  const mayEdit = useAccess().may('release_manager', app)
  const place = `${app}/${channel}`
  const isMissing = isUnknown(known.error)
  const isGone = isMissing && known.data !== undefined
  const draft = isMissing ? undefined : known.data?.draft
  const [isDeleted, setDeleted] = useState(false)
  // Without the form, which would ask whether to leave it.
  if (isDeleted) return <Navigate to={paths.drafts} />
  return (
    <>
      <PageHeader
        name={text.pageName(version, place)}
        title={
          <Group gap="sm" component="span">
            <VersionBadge app={app} version={version} />
            <Badge variant="light" color="gray" tt="none">
              {text.badge}
            </Badge>
          </Group>
        }
        trail={[
          { name: listText.releases, to: paths.releases },
          { name: listText.title, to: paths.drafts },
          { name: place, to: paths.channelReleases(app, channel) },
        ]}
        actions={
          draft && mayEdit && <DeleteDraft draft={draft} onDeleted={() => setDeleted(true)} />
        }
        description={draft && <Times draft={draft} />}
      />
      {isGone && (
        <Notice icon={IconFileOff} mb="md" title={text.goneTitle}>
          {text.goneHint}
        </Notice>
      )}
      {isMissing && !isGone && (
        <EmptyState
          icon={IconFileOff}
          title={text.notFound}
          link={{ to: paths.drafts, name: text.showDrafts, isNext: false }}
          hint={text.notFoundHint(version, place)}
        />
      )}
      {!isMissing && known.data === undefined && <Loaded query={known}>{() => null}</Loaded>}
      {known.data !== undefined && (
        <Stack gap="md">
          {!isMissing && <ErrorNotice error={known.error} />}
          {mayEdit ? (
            <DraftEditor key={paths.draft(known.data.draft)} current={known.data} />
          ) : (
            <DraftContent draft={known.data.draft} />
          )}
          {!isGone && <DraftPreview draft={known.data.draft} />}
          {!isGone && <PreflightPanel of={{ app, channel, version }} />}
        </Stack>
      )}
    </>
  )
}

function Times({ draft: { updatedAt, expiresAt } }: { readonly draft: Draft }) {
  return (
    <Group gap="md">
      <span>
        {text.changed} <When at={updatedAt} />
      </span>
      <span>
        {text.expires} <When at={expiresAt} />
      </span>
    </Group>
  )
}

/** For those who cannot change it. */
function DraftContent({ draft: { notes, artifacts } }: { readonly draft: Draft }) {
  return (
    <>
      <Panel title={text.artifacts} flush={artifacts.length > 0}>
        {artifacts.length === 0 ? (
          <Text c="dimmed">{text.noArtifacts}</Text>
        ) : (
          <FilesTable artifacts={artifacts} />
        )}
      </Panel>
      <Panel title={text.notes}>
        {notes.trim() === '' ? <Text c="dimmed">{text.noNotes}</Text> : <Notes markdown={notes} />}
      </Panel>
    </>
  )
}

interface Props {
  readonly draft: Draft
  readonly onDeleted: () => void
}

/** Deletes a draft, after a question. */
function DeleteDraft({ draft, onDeleted }: Props) {
  const { app, channel, version, artifacts } = draft
  const [asks, setAsks] = useState(false)
  return (
    <>
      <PlainButton icon={IconTrash} onClick={() => setAsks(true)}>
        {text.delete}
      </PlainButton>
      <ChangeDialog
        opened={asks}
        title={text.deleteTitle(version)}
        action={text.delete}
        send={() => serverClient.drafts.discard.mutate({ app, channel, version })}
        done={text.deleted(version)}
        failed={text.notDeleted(version)}
        onAnswer={onDeleted}
        onClose={() => setAsks(false)}
      >
        {text.deleteWarning(artifacts.length)}
      </ChangeDialog>
    </>
  )
}
