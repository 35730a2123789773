//! What the service sends by itself: the callback of a task.

use filepress_wire::documents::MEDIA_TYPE;
use serde_json::{Value, json};

pub(super) fn webhooks() -> Value {
    let header = |name: &str, description: &str| {
        json!({
            "name": name, "in": "header", "required": true, "description": description, "schema": { "type": "string" },
        })
    };
    json!({
        "taskEnded": {
            "post": {
                "summary": "A task with a `callback_url` became COMPLETED or FAILED",
                "description": "Sent to the URL at least once. It is sent again, up to ten times within a day and after growing pauses, until \
                    the status of the response is 2xx, or 410. Redirects are not followed. The signature is that of Standard Webhooks.",
                "security": [],
                "parameters": [
                    header("webhook-id", "The id of the delivery, the same for each attempt."),
                    header("webhook-timestamp", "When this attempt began, in seconds since 1970."),
                    header(
                        "webhook-signature",
                        "For each secret of the user `v1,` and the HMAC-SHA-256 of `ID.TIMESTAMP.BODY` in base64, separated by spaces.",
                    ),
                ],
                "requestBody": {
                    "required": true,
                    "content": { MEDIA_TYPE: { "schema": { "$ref": "#/components/schemas/TaskDocument" } } },
                },
                "responses": {
                    "2XX": { "description": "The receiver has it" },
                    "410": { "description": "It shall not be sent again" },
                    "default": { "description": "It is sent again later" },
                },
            },
        },
    })
}
