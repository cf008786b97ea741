import { z } from 'zod'
import { DeliveryItem, WebhookItem, WebhookWithSecret } from '../../../shared/console/webhooks.ts'

/** The one document with a secret. */
export const WebhookWithSecretDocument = WebhookWithSecret
export const WebhooksDocument = z.strictObject({ webhooks: z.array(WebhookItem) })
/** `webhook`: as it is now. */
export const ChangedWebhookDocument = z.strictObject({ webhook: WebhookItem })
/** `webhook`: as it was. */
export const DeletedWebhookDocument = z.strictObject({ webhook: WebhookItem })
/** `webhook`: as it was before the test. `delivery`: after its first attempt. */
export const TestedWebhookDocument = z.strictObject({
  webhook: WebhookItem,
  delivery: DeliveryItem,
})
