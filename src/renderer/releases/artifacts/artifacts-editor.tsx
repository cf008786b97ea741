import { FileButton, Group, List, Stack, Switch, Text } from '@mantine/core'
import { IconFileImport, IconInfoCircle, IconPlus } from '@tabler/icons-react'
import { type DragEvent, useMemo, useRef, useState } from 'react'
import { isBaseAddress } from '../../../shared/artifacts/address.ts'
import type { ArtifactDraft } from '../../../shared/artifacts/artifact.ts'
import type { ImportRemark } from '../../../shared/artifacts/imported.ts'
import type { ArtifactWarning } from '../../../shared/artifacts/warnings.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import { remarkSentence, warningSentence } from '../../../shared/wording/artifacts.ts'
import { Notice, SmallButton } from '../../components/blocks.tsx'
import { TextField } from '../../components/text-fields.tsx'
import { ArtifactRow, type RowActions } from './artifact-row.tsx'
import classes from './artifacts.module.css'
import { type ArtifactIssues, readArtifact, twinIssues } from './draft.ts'
import { FilesTable } from './files-table.tsx'
import { text } from './strings.ts'
import type { HashSource } from './use-hashing.ts'
import type { Jobs } from './use-jobs.ts'

interface Uploads {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

interface IntakeProps {
  readonly value: readonly ArtifactDraft[]
  readonly base: string
  readonly version: string
  /** What the last import left out, or what it still lacks. */
  readonly remarks: readonly ImportRemark[]
  readonly warnings: readonly ArtifactWarning[]
  /** Undefined where files cannot be uploaded. */
  readonly uploads: Uploads | undefined
  readonly onBase: (base: string) => void
  readonly onFiles: (files: File[]) => void
}

/** Takes manifests and built files, and shows what devices get of them, and what is missing. */
export function FilesIntake(props: IntakeProps) {
  const { value, base, version, remarks, warnings, uploads } = props
  const needsBase = uploads?.isOn !== true && value.some(({ relative }) => relative !== '')
  const asksForBase = base !== '' || needsBase
  const ready = useMemo(() => readyArtifacts(value), [value])
  return (
    <Stack gap="md">
      <DropZone onFiles={props.onFiles} />
      {uploads !== undefined && (
        <Switch
          label={text.uploadFiles}
          description={text.uploadFilesHint}
          checked={uploads.isOn}
          onChange={({ currentTarget }) => uploads.onChange(currentTarget.checked)}
        />
      )}
      <ImportAlert remarks={remarks} />
      <WarningsAlert warnings={warnings} version={version} />
      {asksForBase && (
        <TextField
          label={text.baseUrl}
          description={text.baseUrlHint}
          placeholder={text.baseUrlExample}
          value={base}
          error={isBaseAddress(base) ? undefined : text.baseUrlIssue}
          onChange={props.onBase}
        />
      )}
      {ready.length > 0 && <FilesTable artifacts={ready} />}
    </Stack>
  )
}

/** Returns what is complete of the rows; nothing where two serve the same devices. */
function readyArtifacts(rows: readonly ArtifactDraft[]): Artifact[] {
  if (twinIssues(rows).size > 0) return []
  return rows.flatMap((row) => {
    const read = readArtifact(row)
    return read.ok ? [read.artifact] : []
  })
}

interface RowsProps {
  /** The app of the release; empty while it is not chosen. */
  readonly app: string
  readonly value: readonly ArtifactDraft[]
  readonly issues: ReadonlyMap<string, ArtifactIssues>
  readonly jobs: Jobs<HashSource>
  readonly uploads: Jobs<File> | undefined
  readonly actions: RowActions
  readonly onAdd: () => void
}

/** The files of a release with all their fields. */
export function ArtifactRows({ app, value, issues, jobs, uploads, actions, onAdd }: RowsProps) {
  const twins = useMemo(() => twinIssues(value), [value])
  return (
    <Stack gap="md">
      {value.map((row, index) => (
        <ArtifactRow
          key={row.id}
          number={index + 1}
          value={row}
          issues={issues.get(row.id)}
          twin={twins.get(row.id)}
          job={jobs.get(row.id)}
          upload={uploads?.get(row.id)}
          app={app}
          actions={actions}
        />
      ))}
      <Group>
        <SmallButton icon={IconPlus} onClick={onAdd}>
          {text.add}
        </SmallButton>
      </Group>
    </Stack>
  )
}

/** Takes files by drop, and by a button for the keyboard. */
function DropZone({ onFiles }: { readonly onFiles: (files: File[]) => void }) {
  const [over, setOver] = useState(false)
  const reset = useRef<() => void>(null)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const files = [...event.dataTransfer.files]
    if (files.length > 0) onFiles(files)
  }
  return (
    <section
      aria-label={text.dropTitle}
      className={classes.drop}
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconFileImport size={24} stroke={1.5} color="var(--tidegate-quiet)" aria-hidden="true" />
      <Text size="sm">{text.dropHint}</Text>
      <FileButton
        multiple
        resetRef={reset}
        inputProps={{ 'aria-label': text.dropTitle }}
        onChange={(files) => {
          onFiles(files)
          reset.current?.()
        }}
      >
        {(props) => <SmallButton {...props}>{text.chooseFiles}</SmallButton>}
      </FileButton>
    </section>
  )
}

/** What the last import left out, replaced or lacks. */
function ImportAlert({ remarks }: { readonly remarks: readonly ImportRemark[] }) {
  if (remarks.length === 0) return null
  return (
    <Notice icon={IconInfoCircle} role="status" title={text.importedTitle} color="tide">
      <Sentences lines={remarks.map(remarkSentence)} />
    </Notice>
  )
}

interface WarningsProps {
  readonly warnings: readonly ArtifactWarning[]
  /** The version of the release, as it is typed. */
  readonly version: string
}

/** What is suspicious about the files of a release. Nothing of it keeps the release from being published. */
export function WarningsAlert({ warnings, version }: WarningsProps) {
  if (warnings.length === 0) return null
  const lines = warnings.map((warning) => warningSentence(warning, version))
  return (
    <Notice role="status" title={text.warningsTitle}>
      <Sentences lines={lines} />
    </Notice>
  )
}

function Sentences({ lines }: { readonly lines: readonly string[] }) {
  return (
    <List size="sm" style={{ overflowWrap: 'anywhere' }}>
      {lines.map((line) => (
        <List.Item key={line}>{line}</List.Item>
      ))}
    </List>
  )
}
