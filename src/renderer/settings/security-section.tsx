import { Fieldset, Switch, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Security, type SettingsView } from '../../shared/console/settings.ts'
import { useServerState } from '../bridge/server-state.tsx'
import { type BudgetDraft, BudgetFields } from './budget-fields.tsx'
import { NumberField, NumberFields } from './number-field.tsx'
import { PathField } from './path-field.tsx'
import { type Issues, readProxies } from './read-section.ts'
import { SectionForm } from './section-form.tsx'
import classes from './settings.module.css'
import { TlsLine } from './tls-line.tsx'
import { useSection } from './use-section.ts'

const LIMITS = [
  { name: 'device', label: 'Devices', description: 'Checks of one address' },
  { name: 'key', label: 'Keys', description: 'Calls with one key' },
  { name: 'rejectedKey', label: 'Refused keys', description: 'Wrong keys of one address' },
] as const

interface Draft {
  readonly secure: boolean
  readonly certFile: string
  readonly keyFile: string
  readonly limits: Readonly<Record<(typeof LIMITS)[number]['name'], number | string>>
  readonly budgets: BudgetDraft
  readonly maxConnections: number | string
  readonly proxies: string
}

const toDraft = ({ tls, limits, budgets, maxConnections, trustProxy }: Security): Draft => ({
  secure: tls !== null,
  certFile: tls?.certFile ?? '',
  keyFile: tls?.keyFile ?? '',
  limits,
  budgets,
  maxConnections,
  proxies: trustProxy.join('\n'),
})
const toInput = ({ secure, certFile, keyFile, proxies, ...numbers }: Draft) => ({
  tls: secure ? { certFile, keyFile } : null,
  ...numbers,
  trustProxy: readProxies(proxies),
})

/** TLS, limits, and whose word counts for the address of a caller. */
export function SecuritySection({ view }: { readonly view: SettingsView }) {
  const saved = view.settings.security
  const section = useSection({ name: 'security', schema: Security, saved, toDraft, toInput })
  const { draft, change, issues } = section
  const [isTyping, setTyping] = useState(false)
  const state = useServerState()
  const refused =
    state.state === 'failed' && state.failure.code === 'tls' && !section.unsaved
      ? 'was refused at the start of the server'
      : undefined
  return (
    <SectionForm
      title="Security"
      {...section}
      onSubmit={(form) => void section.submit(form)}
      onDiscard={section.discard}
    >
      <Switch
        label="Serve over HTTPS (TLS)"
        description="Leave it off behind a proxy that ends TLS."
        checked={draft.secure}
        onChange={(event) => change({ secure: event.currentTarget.checked })}
      />
      {draft.secure && (
        <>
          <PathField
            kind="certificate"
            label="Certificate file"
            description="The certificate and the chain up to its issuer, in PEM."
            value={draft.certFile}
            issue={issues.get('tls.certFile') ?? refused}
            onChange={(certFile) => change({ certFile })}
            onTyping={setTyping}
          />
          <PathField
            kind="key"
            label="Key file"
            description="The private key of the certificate, in PEM, without a password."
            value={draft.keyFile}
            issue={issues.get('tls.keyFile')}
            onChange={(keyFile) => change({ keyFile })}
            onTyping={setTyping}
          />
          <TlsLine certFile={draft.certFile} keyFile={draft.keyFile} isTyping={isTyping} />
        </>
      )}
      <Fieldset
        variant="unstyled"
        className={classes.limits ?? ''}
        legend="Limits a minute, 0 for none"
      >
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
        label="Open connections"
        description="Maximum. One address can use a tenth of them."
        value={draft.maxConnections}
        issue={issues.get('maxConnections')}
        onChange={(maxConnections) => change({ maxConnections })}
      />
      <Textarea
        label="Trusted proxies"
        description="One a line: addresses, ranges such as 10.0.0.0/8, or loopback. They are believed when they say who is calling."
        placeholder="None"
        autosize
        minRows={2}
        maw={640}
        spellCheck={false}
        value={draft.proxies}
        error={proxyIssue(draft.proxies, issues)}
        onChange={(event) => change({ proxies: event.currentTarget.value })}
      />
    </SectionForm>
  )
}

function proxyIssue(text: string, issues: Issues): string | undefined {
  for (const [index, proxy] of readProxies(text).entries()) {
    const issue = issues.get(`trustProxy.${index}`)
    if (issue !== undefined) return `Trusted proxies: ${proxy} ${issue}.`
  }
  const issue = issues.get('trustProxy')
  return issue && `Trusted proxies ${issue}.`
}
