import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { type SubmitEvent, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { AppDetail } from '../../../shared/console/apps.ts'
import type { PublishBody } from '../../../shared/release.ts'
import { serverClient } from '../../bridge/clients.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { focusFirstFault } from '../../components/keep-focus.ts'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import { Panel } from '../../components/panel.tsx'
import { useChange } from '../../components/use-change.ts'
import { paths } from '../../paths.ts'
import { ArtifactsEditor } from '../artifacts/artifacts-editor.tsx'
import type { ArtifactIssues } from '../artifacts/draft.ts'
import { FilesTable } from '../artifacts/files-table.tsx'
import { WarningsAlert } from '../artifacts/import-alert.tsx'
import { artifactWarnings } from '../artifacts/warnings.ts'
import { NotesField } from '../notes/notes-field.tsx'
import { RolloutField } from '../serving/rollout-field.tsx'
import { TargetsEditor } from '../targets/targets-editor.tsx'
import { emptyDraft, hasInput, readPublish } from './draft.ts'
import { PlaceFields } from './place-fields.tsx'
import classes from './publish.module.css'
import { publishInWords, verdictInWords } from './strings.ts'
import { usePublishDraft } from './use-publish-draft.ts'
import { useVersionVerdict, VersionField } from './version-field.tsx'

interface Props {
  readonly apps: readonly AppDetail[]
  readonly place: { app: string; channel: string }
}

/** Everything that a release is, checked while it is written; publishing asks once. */
export function PublishForm({ apps, place }: Props) {
  const form = usePublishDraft(() => emptyDraft(place.app, place.channel))
  const { draft, change } = form
  const [tried, setTried] = useState(false)
  const [asked, setAsked] = useState<PublishBody>()
  const published = useRef(false)
  const navigate = useNavigate()
  const publish = useChange(serverClient.releases.publish.mutate, {
    done: ({ app, channel, version }) => `${version} was published on ${app}/${channel}.`,
    failed: ({ version }) => `${version} was not published`,
    onAnswer: ({ app, channel, version }) => {
      published.current = true
      void navigate(paths.release({ app, channel, version }))
    },
  })
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
      <form onSubmit={submit} noValidate aria-label="Release">
        <Stack gap="md">
          <Panel title="Release">
            <Stack gap="md">
              <div className={classes.place}>
                <PlaceFields
                  apps={apps}
                  app={draft.app}
                  channel={draft.channel}
                  onChange={change}
                />
                <VersionField
                  app={draft.app}
                  channel={draft.channel}
                  value={draft.version}
                  issue={issues?.version}
                  onChange={(version) => change({ version })}
                />
              </div>
              <NotesField
                value={draft.notes}
                issue={issues?.notes}
                onChange={(notes) => change({ notes })}
              />
            </Stack>
          </Panel>
          <Panel title="Artifacts">
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
          <Panel title="Rollout">
            <RolloutField
              value={draft.rolloutPct}
              onChange={(rolloutPct) => change({ rolloutPct })}
            />
          </Panel>
          <Panel title="Targets">
            <TargetsEditor
              value={draft.targets}
              showIssues={tried}
              onChange={(targets) => change({ targets })}
            />
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
          <Button type="submit">Publish</Button>
        </Group>
      </form>
      {/* Outside of the form: what dialogs submit would reach it through the portal. */}
      <LeaveGuard
        wouldLose={() => !published.current && hasInput(draft)}
        title="Leave without publishing"
        action="Discard the release"
        refusal={() =>
          publish.isPending && !published.current ? `Publishing ${asked?.version}…` : undefined
        }
      >
        Your draft will be lost.
      </LeaveGuard>
      <ConfirmDialog
        opened={asked !== undefined}
        destructive={false}
        title={`Publish ${asked?.version ?? ''}`}
        action={`Publish ${asked?.version ?? ''}`}
        change={publish}
        onConfirm={() => asked && publish.send(asked)}
        onClose={() => setAsked(undefined)}
      >
        <Stack gap="xs">
          {asked && publishInWords(asked).map((line) => <span key={line}>{line}</span>)}
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

const NO_ISSUES: ReadonlyMap<string, ArtifactIssues> = new Map()

function footLine(hashing: boolean, isInvalid: boolean, issue: string | undefined): string {
  if (issue !== undefined) return issue
  if (hashing) return 'The SHA-512 of the files is being computed.'
  return isInvalid ? 'Some fields above need another look.' : ''
}
