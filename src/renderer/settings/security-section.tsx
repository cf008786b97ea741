import { Fieldset, Switch } from '@mantine/core'
import { useRef, useState } from 'react'
import { Security, type SettingsView } from '../../shared/console/settings.ts'
import { ConfirmDialog } from '../components/dialog/confirm-dialog.tsx'
import { NumberField, NumberFields } from './number-field.tsx'
import { PathField } from './path-field.tsx'
import { type Issues, readNumber, readNumbers, readProxies } from './read-section.ts'
import { SectionForm } from './section-form.tsx'
import { ProxiesField, TlsLine } from './security-fields.tsx'
import classes from './settings.module.css'
import { text } from './strings.ts'
import { useSection } from './use-section.ts'
import { wideRange } from './wide-range.ts'

const LIMITS = [
  { name: 'device', label: text.deviceLimit, description: text.deviceLimitHint },
  { name: 'key', label: text.keyLimit, description: text.keyLimitHint },
  { name: 'rejectedKey', label: text.rejectedKeyLimit, description: text.rejectedKeyLimitHint },
] as const

interface Draft {
  readonly secure: boolean
  readonly certFile: string
  readonly keyFile: string
  readonly limits: Readonly<Record<(typeof LIMITS)[number]['name'], string>>
  readonly budgets: BudgetDraft
  readonly maxConnections: string
  readonly proxies: string
}

const toDraft = ({ tls, limits, budgets, maxConnections, trustProxy }: Security): Draft => ({
  secure: tls !== null,
  certFile: tls?.certFile ?? '',
  keyFile: tls?.keyFile ?? '',
  limits: {
    device: `${limits.device}`,
    key: `${limits.key}`,
    rejectedKey: `${limits.rejectedKey}`,
  },
  budgets: {
    newDevices: `${budgets.newDevices}`,
    combinations: `${budgets.combinations}`,
    labelBytes: `${budgets.labelBytes}`,
    minFreeDiskMiB: `${budgets.minFreeDiskMiB}`,
  },
  maxConnections: `${maxConnections}`,
  proxies: trustProxy.join('\n'),
})
const toInput = ({ secure, certFile, keyFile, proxies, ...numbers }: Draft) => ({
  tls: secure ? { certFile, keyFile } : null,
  limits: readNumbers(numbers.limits),
  maxConnections: readNumber(numbers.maxConnections),
  budgets: readNumbers(numbers.budgets),
  trustProxy: readProxies(proxies),
})

/** TLS, limits, and which proxies set the address of a client. */
export function SecuritySection({ view }: { readonly view: SettingsView }) {
  const section = useSection({ name: 'security', schema: Security, view, toDraft, toInput })
  const { draft, change, issues } = section
  const [isTyping, setTyping] = useState(false)
  const [asks, setAsks] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const wide = wideRange(readProxies(draft.proxies))
  const isNewlyWide = wide !== undefined && !view.settings.security.trustProxy.includes(wide)
  return (
    <>
      <SectionForm
        title={text.security}
        {...section}
        submit={(submitted) => {
          form.current = submitted
          if (isNewlyWide && section.valid) setAsks(true)
          else section.submit(submitted)
        }}
      >
        <Switch
          label={text.https}
          description={text.httpsHint}
          checked={draft.secure}
          onChange={(event) => change({ secure: event.currentTarget.checked })}
        />
        {draft.secure && (
          <>
            <PathField
              kind="certificate"
              label={text.certificate}
              description={text.certificateHint}
              value={draft.certFile}
              issue={issues.get('tls.certFile')}
              onChange={(certFile) => change({ certFile })}
              onTyping={setTyping}
            />
            <PathField
              kind="key"
              label={text.key}
              description={text.keyHint}
              value={draft.keyFile}
              issue={issues.get('tls.keyFile')}
              onChange={(keyFile) => change({ keyFile })}
              onTyping={setTyping}
            />
            <TlsLine
              certFile={draft.certFile}
              keyFile={draft.keyFile}
              isQuiet={isTyping || issues.has('tls.certFile') || issues.has('tls.keyFile')}
            />
          </>
        )}
        <Fieldset variant="unstyled" className={classes.limits ?? ''} legend={text.limits}>
          <NumberFields
            fields={LIMITS}
            values={draft.limits}
            issues={issues}
            path="limits"
            onChange={(limits) => change({ limits })}
          />
        </Fieldset>
        <BudgetFields
          draft={draft.budgets}
          issues={issues}
          onChange={(budgets) => change({ budgets })}
        />
        <NumberField
          label={text.connections}
          description={text.connectionsHint}
          value={draft.maxConnections}
          issue={issues.get('maxConnections')}
          onChange={(maxConnections) => change({ maxConnections })}
        />
        <ProxiesField
          value={draft.proxies}
          wide={wide}
          issues={issues}
          onChange={(proxies) => change({ proxies })}
        />
      </SectionForm>
      <ConfirmDialog
        opened={asks}
        title={text.wideTitle}
        action={text.wideAction}
        onConfirm={() => {
          setAsks(false)
          if (form.current !== null) section.submit(form.current)
        }}
        onClose={() => setAsks(false)}
      >
        {wide !== undefined && text.wide(wide)}
      </ConfirmDialog>
    </>
  )
}

const FIELDS = [
  { name: 'newDevices', label: text.newDevices, description: text.newDevicesHint },
  { name: 'combinations', label: text.combinations, description: text.combinationsHint },
  {
    name: 'labelBytes',
    label: text.labelBytes,
    description: text.labelBytesHint,
    unit: text.bytes,
  },
  {
    name: 'minFreeDiskMiB',
    label: text.minFreeDisk,
    description: text.minFreeDiskHint,
    unit: text.mebibytes,
  },
] as const

/** Budgets as they are typed. */
type BudgetDraft = Readonly<Record<(typeof FIELDS)[number]['name'], string>>

interface Props {
  readonly draft: BudgetDraft
  readonly issues: Issues
  readonly onChange: (draft: BudgetDraft) => void
}

/** What requests without a key can add to the database. */
function BudgetFields({ draft, issues, onChange }: Props) {
  return (
    <Fieldset variant="unstyled" className={classes.limits ?? ''} legend={text.budgets}>
      <NumberFields
        fields={FIELDS}
        values={draft}
        issues={issues}
        path="budgets"
        onChange={onChange}
      />
    </Fieldset>
  )
}
