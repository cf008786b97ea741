import { Group, List, Loader, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type {
  DataCounts,
  Inspection,
  RestoreProblem,
} from '../../../shared/console/settings/backups.ts'
import { formatCount } from '../../../shared/wording/format.ts'
import { accessGroups } from '../../../shared/wording/operation/restored-access.ts'
import { isDesktop, server } from '../../bridge/clients.ts'
import { ConsoleError } from '../../bridge/error.ts'
import { ErrorNotice, Notice, PlainButton } from '../../components/blocks.tsx'
import { useChange } from '../../components/change/use-change.ts'
import { Dialog, useLast } from '../../components/dialog/dialog.tsx'
import { ConfirmForm, useFreshChange } from '../../components/dialog/dialog-form.tsx'
import { Quiet, Small, When } from '../../components/text/words.tsx'
import {
  type ChosenBackup,
  nameOf,
  type ReachableBackup,
  type Reading,
  useReachable,
} from './chosen.ts'
import { FilesBar, ProgressBar } from './files-progress.tsx'
import { LackingReleases, LostVersions, NamedList, type Restoration } from './restored.tsx'
import { restoreProblemText, text, uploadingText } from './strings.ts'

/** Milliseconds between two looks at the progress of a restore. */
const LOOK = 1_000

interface Props {
  /** The backup in question; the dialog is closed without. */
  readonly chosen: ChosenBackup | undefined
  readonly onClose: () => void
  readonly onRestored: (outcome: Restoration) => void
}

/** Verifies a backup, shows what restoring it does, and restores it when that is confirmed. */
export function RestoreDialog({ chosen, onClose, onRestored }: Props) {
  const shown = useLast(chosen)
  const reading = useReachable(chosen)
  const restore = useChange(restoreBackup, {
    done: (outcome) => outcome && text.restored,
    failed: text.notRestored,
    onDone: (outcome) => {
      if (outcome !== undefined) onRestored(outcome)
      onClose()
    },
  })
  useFreshChange(chosen !== undefined, restore)
  if (shown === undefined) return null
  return (
    <Dialog opened={chosen !== undefined} onClose={onClose} title={text.restoreTitle} size="lg">
      {reading.step === 'read' && reading.inspection.ok ? (
        <ConfirmForm
          action={text.restoreAction}
          typed={text.typed}
          change={restore}
          onConfirm={() => restore.send(reading.backup)}
        >
          <RestorePreview inspection={reading.inspection} />
          {restore.isPending && !isDesktop() && <RestoringFiles />}
        </ConfirmForm>
      ) : (
        <Stack>
          <Text size="sm" className="wraps">
            {nameOf(shown)}
          </Text>
          <ReadingState reading={reading} />
          <Group justify="end">
            <PlainButton onClick={onClose}>
              {isUnderWay(reading) ? text.cancel : text.close}
            </PlainButton>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}

/** How much of the stored files is back, while a server restores a backup. */
function RestoringFiles() {
  const options = server.backups.restoreStatus.queryOptions(undefined, { refetchInterval: LOOK })
  const files = useQuery(options).data?.files ?? null
  return files !== null && <FilesBar progress={files} label={text.restoringFiles} />
}

function ReadingState({ reading }: { readonly reading: Reading }) {
  switch (reading.step) {
    case 'uploading':
      return (
        <>
          <Text size="sm" role="status">
            {text.uploading}
          </Text>
          <ProgressBar
            label={text.uploading}
            share={reading.part}
            words={uploadingText(reading.part)}
          />
          <Quiet aria-hidden="true">{uploadingText(reading.part)}</Quiet>
        </>
      )
    case 'reading':
      return (
        <Group gap="xs" role="status">
          <Loader size="xs" aria-hidden="true" />
          <Text size="sm">{text.reading}</Text>
        </Group>
      )
    case 'read':
      return <ErrorNotice error={refusal(reading.inspection)} title={text.cannotRestore} />
    case 'failed':
      return <ErrorNotice error={reading.error} title={text.cannotRestore} />
    default:
      return reading satisfies never
  }
}

function isUnderWay({ step }: Reading): boolean {
  return step === 'uploading' || step === 'reading'
}

/** Restores a backup; rejects with the reason where it cannot be. */
async function restoreBackup(backup: ReachableBackup): Promise<Restoration | undefined> {
  const outcome = await backup.restore()
  if (outcome?.ok === false) throw refusal(outcome)
  return outcome
}

function refusal(result: { ok: true } | { ok: false; problem: RestoreProblem }) {
  return result.ok ? null : new ConsoleError('invariant', restoreProblemText(result.problem))
}

type Restorable = Extract<Inspection, { ok: true }>

const ROWS = ['apps', 'releases', 'devices'] as const satisfies readonly (keyof DataCounts)[]

/** What restoring a backup does, in numbers: what is lost first. */
function RestorePreview({ inspection }: { readonly inspection: Restorable }) {
  const { copy, present, lost, access, carriedOver, offered, files } = inspection
  return (
    <Stack gap="sm">
      <div>
        {text.verifiedFrom} <When at={copy.madeAt} />
        <Small className="wraps">{copy.file}</Small>
      </div>
      {carriedOver === null && (
        <Notice>
          {text.presentUnreadable} {text.nothingKept}
        </Notice>
      )}
      <Contents present={present} after={copy.counts} />
      <List size="sm" spacing={8} className="wraps">
        <List.Item>
          {lost.count === 0 ? text.noReleaseLost : text.releasesLost(lost.count)}
          <LostVersions lost={lost} />
        </List.Item>
        {carriedOver !== null && <List.Item>{text.kept(carriedOver)}</List.Item>}
        {accessGroups(access).map(({ heading, items }) => (
          <List.Item key={heading}>
            <NamedList label={heading} items={items} />
          </List.Item>
        ))}
        {offered > 0 && <List.Item>{text.offered(offered)}</List.Item>}
        {files !== null && files.count > 0 && (
          <List.Item>{text.filesRestored(files.count, files.bytes)}</List.Item>
        )}
        {files !== null && files.lacking.count > 0 && (
          <List.Item>
            <LackingReleases lacking={files.lacking} />
          </List.Item>
        )}
        <List.Item>{text.undone}</List.Item>
        <List.Item>{text.downtime}</List.Item>
        <List.Item>{text.signsOut}</List.Item>
      </List>
    </Stack>
  )
}

function Contents({ present, after }: { present: DataCounts | null; after: DataCounts }) {
  return (
    <Table aria-label={text.contents} verticalSpacing={4} horizontalSpacing={8}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text.contents}</Table.Th>
          <Table.Th ta="right">{text.now}</Table.Th>
          <Table.Th ta="right">{text.after}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {ROWS.map((row) => (
          <Table.Tr key={row}>
            <Table.Th scope="row">{text[row]}</Table.Th>
            <Table.Td ta="right">
              {present === null ? text.unknown : formatCount(present[row])}
            </Table.Td>
            <Table.Td ta="right">{formatCount(after[row])}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
