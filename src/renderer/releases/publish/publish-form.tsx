import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { AppName } from '../../../shared/console/apps.ts'
import type { PublishBody } from '../../../shared/release.ts'
import { CommentField } from '../../approvals/comment-field.tsx'
import { text as approvalText } from '../../approvals/strings.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import { duplicateFault } from '../../components/change/fault.ts'
import { useChange } from '../../components/change/use-change.ts'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog.tsx'
import { focusFirstFault } from '../../components/dialog/keep-focus.ts'
import { LeaveGuard } from '../../components/dialog/leave-guard.tsx'
import { Panel } from '../../components/panel.tsx'
import { paths } from '../../paths.ts'
import { ArtifactsEditor } from '../artifacts/artifacts-editor.tsx'
import type { ArtifactIssues } from '../artifacts/draft.ts'
import { FilesTable } from '../artifacts/files-table.tsx'
import { WarningsAlert } from '../artifacts/import-alert.tsx'
import { artifactWarnings } from '../artifacts/warnings.ts'
import { NotesField } from '../notes/notes-field.tsx'
import { RolloutField } from '../serving/rollout-field.tsx'
import { TargetsEditor } from '../targets/targets-editor.tsx'
import { hasInput, type PublishDraft, readPublish } from './draft.ts'
import { PlaceFields } from './place-fields.tsx'
import classes from './publish.module.css'
import { publishInWords, text, verdictInWords } from './strings.ts'
import { usePublishDraft } from './use-publish-draft.ts'
import { useVersionVerdict, VersionField } from './version-field.tsx'

interface Props {
  readonly apps: readonly AppName[]
  /** What the form starts with. */
  readonly initial: PublishDraft
  /** Said above the form. */
  readonly notice?: string | undefined
}

/** Everything that a release is, checked while it is written; publishing asks once. */
export function PublishForm({ apps, initial, notice }: Props) {
  const form = usePublishDraft(() => initial)
  const { draft, change } = form
  const set = useMemo(() => settersOf(change), [change])
  const [tried, setTried] = useState(false)
  const [asked, setAsked] = useState<PublishBody>()
  const published = useRef(false)
  const navigate = useNavigate()
  const publish = useChange(serverClient.releases.publish.mutate, {
    done: ({ app, channel, version }) => text.done(version, `${app}/${channel}`),
    failed: ({ version }) => text.failed(version),
    onAnswer: ({ app, channel, version }) => {
      published.current = true
      void navigate(paths.release({ app, channel, version }))
    },
  })
  const propose = useChange(serverClient.changeRequests.propose.mutate, {
    done: (_, { version }) => approvalText.requested(version),
    failed: ({ version }) => approvalText.notRequested(version),
    onAnswer: ({ id }) => {
      published.current = true
      void navigate(paths.approval(id))
    },
  })
  const [comment, setComment] = useState('')
  const place = { app: draft.app, channel: draft.channel }
  const known = useQuery(
    server.channels.policy.queryOptions(place, {
      enabled: place.app !== '' && place.channel !== '',
      retry: false,
      placeholderData: () => undefined,
    }),
  )
  const isProposal = known.data?.policy.requireApproval === true && draft.rolloutPct > 0
  const sent = isProposal ? propose : publish
  const send = ({ app, channel, version, ...content }: PublishBody) => {
    if (!isProposal) publish.send({ app, channel, version, ...content })
    else {
      const change = { kind: 'publish', ...content } as const
      propose.send({ app, channel, version, change, comment: comment.trim() })
    }
  }
  const element = useRef<HTMLFormElement>(null)
  const duplicate = duplicateFault(sent.error)
  useEffect(() => {
    if (duplicate === undefined) return
    setAsked(undefined)
    if (element.current !== null) focusFirstFault(element.current)
  }, [duplicate])
  const verdict = useVersionVerdict(draft.app, draft.channel, draft.version)
  const read = readPublish(draft)
  const warnings = useMemo(
    () => artifactWarnings(draft.artifacts, draft.version),
    [draft.artifacts, draft.version],
  )
  const issues = tried && !read.ok ? read.issues : undefined
  const hashing = [...form.jobs.values()].some(({ state }) => state === 'running')
  const taken = verdict?.state === 'duplicate' || verdict?.state === 'invalid'

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    if (!read.ok || hashing || taken) {
      focusFirstFault(event.currentTarget)
      return
    }
    setAsked(read.body)
  }
  return (
    <>
      <form ref={element} onSubmit={submit} noValidate aria-label={text.release}>
        <Stack gap="md">
          {notice !== undefined && <Alert variant="light">{notice}</Alert>}
          <Panel title={text.release}>
            <Stack gap="md">
              <div className={classes.place}>
                <PlaceFields
                  apps={apps}
                  app={draft.app}
                  channel={draft.channel}
                  onChange={(parts) => {
                    change(parts)
                    publish.reset()
                  }}
                />
                <VersionField
                  app={draft.app}
                  channel={draft.channel}
                  value={draft.version}
                  issue={issues?.version}
                  refusal={duplicate}
                  onChange={(version) => {
                    change({ version })
                    publish.reset()
                  }}
                />
              </div>
              <NotesField value={draft.notes} issue={issues?.notes} onChange={set.notes} />
            </Stack>
          </Panel>
          <Panel title={text.artifacts}>
            <ArtifactsEditor
              value={draft.artifacts}
              base={draft.base}
              version={draft.version}
              issues={issues?.artifacts ?? NO_ISSUES}
              remarks={form.remarks}
              warnings={warnings}
              jobs={form.jobs}
              actions={form.rowActions}
              onBase={form.setBase}
              onAdd={form.addArtifact}
              onFiles={(files) => void form.takeFiles(files)}
            />
          </Panel>
          <Panel title={text.rollout}>
            <RolloutField value={draft.rolloutPct} onChange={set.rolloutPct} />
          </Panel>
          <Panel title={text.targets}>
            <TargetsEditor value={draft.targets} showIssues={tried} onChange={set.targets} />
          </Panel>
        </Stack>
        <Group className={classes.foot} justify="space-between">
          <Text size="sm" c="dimmed" role="status">
            {footLine(
              hashing,
              tried && (!read.ok || taken),
              issues?.artifactCount ?? issues?.place,
            )}
          </Text>
          <Button type="submit">{isProposal ? approvalText.request : text.publish}</Button>
        </Group>
      </form>
      {/* Outside of the form: what dialogs submit would reach it through the portal. */}
      <LeaveGuard
        wouldLose={() => !published.current && hasInput(draft)}
        title={text.leaveTitle}
        action={text.leave}
        refusal={() =>
          sent.isPending && !published.current ? text.publishing(asked?.version ?? '') : undefined
        }
      >
        {text.leaveWarning}
      </LeaveGuard>
      <ConfirmDialog
        opened={asked !== undefined}
        destructive={false}
        title={text.publishVersion(asked?.version ?? '')}
        action={isProposal ? approvalText.request : text.publishVersion(asked?.version ?? '')}
        change={duplicate === undefined ? sent : { ...sent, error: null }}
        onConfirm={() => asked && send(asked)}
        onClose={() => setAsked(undefined)}
      >
        <Stack gap="xs">
          {asked && publishInWords(asked).map((line) => <span key={line}>{line}</span>)}
          {isProposal && <CommentField value={comment} onChange={setComment} isNeeded />}
          {asked && asked.artifacts.length > 0 && <FilesTable artifacts={asked.artifacts} />}
          <WarningsAlert warnings={warnings} version={draft.version} />
          {verdict?.state === 'lower' && (
            <Alert variant="light" color="yellow">
              {verdictInWords(verdict, `${draft.app}/${draft.channel}`)}
            </Alert>
          )}
        </Stack>
      </ConfirmDialog>
    </>
  )
}

/** Returns the same functions for every render, so that only the field that changed is rendered. */
function settersOf(change: (parts: Partial<PublishDraft>) => void) {
  return {
    notes: (notes: string) => change({ notes }),
    rolloutPct: (rolloutPct: number) => change({ rolloutPct }),
    targets: (targets: PublishDraft['targets']) => change({ targets }),
  }
}

const NO_ISSUES: ReadonlyMap<string, ArtifactIssues> = new Map()

function footLine(hashing: boolean, isInvalid: boolean, issue: string | undefined): string {
  if (issue !== undefined) return issue
  if (hashing) return text.hashing
  return isInvalid ? text.faults : ''
}
