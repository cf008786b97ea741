import type { OutboxWrites } from '../../outbox/store.ts'
import { AreaClient } from '../writer/area-client.ts'
import type { ArgsOf, TransactionRunner } from '../writer/transaction-runner.ts'

type Args<Name extends keyof OutboxWrites> = ArgsOf<OutboxWrites[Name]>

/** The outbox of a transaction. */
export class OutboxClient extends AreaClient<'outbox'> implements OutboxWrites {
  constructor(runner: TransactionRunner, file: string) {
    super('outbox', runner, file)
  }

  webhooks(...args: Args<'webhooks'>) {
    return this.ask('webhooks', args)
  }

  delivery(...args: Args<'delivery'>) {
    return this.ask('delivery', args)
  }

  alarms(...args: Args<'alarms'>) {
    return this.ask('alarms', args)
  }

  insertWebhook(...args: Args<'insertWebhook'>) {
    return this.ask('insertWebhook', args)
  }

  setWebhook(...args: Args<'setWebhook'>) {
    return this.ask('setWebhook', args)
  }

  removeWebhook(...args: Args<'removeWebhook'>) {
    return this.ask('removeWebhook', args)
  }

  cancelDeliveries(...args: Args<'cancelDeliveries'>) {
    return this.ask('cancelDeliveries', args)
  }

  insertDelivery(...args: Args<'insertDelivery'>) {
    return this.ask('insertDelivery', args)
  }

  requeue(...args: Args<'requeue'>) {
    return this.ask('requeue', args)
  }

  collect(...args: Args<'collect'>) {
    return this.ask('collect', args)
  }

  settle(...args: Args<'settle'>) {
    return this.ask('settle', args)
  }

  prune(...args: Args<'prune'>) {
    return this.ask('prune', args)
  }

  setMailing(...args: Args<'setMailing'>) {
    return this.ask('setMailing', args)
  }

  setAlarms(...args: Args<'setAlarms'>) {
    return this.ask('setAlarms', args)
  }

  appendAudit(...args: Args<'appendAudit'>) {
    return this.ask('appendAudit', args)
  }
}
