//! `/v1/admin/keys`: the keys of all users. A key itself is shown once, in the answer that creates it.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::list::ListQuery;
use crate::app::App;
use crate::clock::Timestamp;
use crate::http::api_key::ApiKey;
use crate::http::body::JsonBody;
use crate::http::document::{ApiResponse, single};
use crate::http::document_reader::Member;
use crate::http::error::{ApiError, Result};
use crate::http::idempotency;
use crate::http::path_params::PathParams;
use crate::http::query::NoQuery;
use crate::key_input::{check_email, check_name};
use crate::scopes::{Scope, Scopes};
use crate::store::ListCursor;
use crate::store::records::{Key, KeyRights};

const PATH: &str = "/v1/admin/keys";
const KIND: &str = "keys";

/// `GET /v1/admin/keys`
pub(super) async fn list(State(app): State<Arc<App>>, query: ListQuery) -> Result<Response> {
    if query.status.is_some() {
        return Err(crate::http::query::unknown("filter[status]"));
    }
    let keys = app.store.some_keys(query.after.clone(), query.limit()).await?;
    let items = keys.iter().map(|(key, owner)| {
        (resource(key, &owner.email), ListCursor { created_at: key.created_at, id: key.id.clone() })
    });
    query.answer(PATH, items.collect())
}

/// `POST /v1/admin/keys`: creates a key, and its owner if there is none. No key with the scope `admin`: whoever has stolen one shall not
/// be able to keep its rights by making another.
pub(super) async fn create(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    _: NoQuery,
    body: JsonBody,
) -> Result<Response> {
    // Only the hash of a key is stored. A repeated response could not have the key, and without it would be of no use.
    let detail = "A key is shown only once, so this request cannot be repeated. Leave the header out; if the response is lost, revoke \
        the key and create another.";
    idempotency::refuse(&headers, detail)?;
    let now = app.clock.now();
    let (email, rights) = read(&body.json, now)?;
    let user = app.store.user_for_email(&email, "", now).await?;
    let secret = ApiKey::generate().map_err(ApiError::internal)?;
    let key = app.store.add_key(&user.id, secret.prefix(), &secret.hash(), &rights, now).await?;
    let mut created = resource(&key, &user.email);
    created["meta"] = json!({ "key": secret.expose() });
    let document = single(created, format!("{PATH}/{}", key.id));
    Ok(ApiResponse { status: StatusCode::CREATED, ..ApiResponse::ok(&document)? }.into_response())
}

/// `DELETE /v1/admin/keys/{id}`: revokes a key, also the one that asks.
pub(super) async fn revoke(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
    _: NoQuery,
) -> Result<StatusCode> {
    // The store also takes the first characters of a key, which several keys may have.
    let is_unknown = ApiKey::is_prefix(&id) || !app.store.revoke_key(&id, app.clock.now()).await?;
    if is_unknown { Err(ApiError::not_found()) } else { Ok(StatusCode::NO_CONTENT) }
}

fn read(document: &Value, now: Timestamp) -> Result<(String, KeyRights)> {
    let data = Member::data(document, KIND)?;
    let attributes = data.get("attributes")?.ok_or_else(|| data.lacks("attributes"))?;
    attributes.only(&["email", "name", "scopes", "expires_at"])?;
    let email = attributes.get("email")?.ok_or_else(|| attributes.lacks("email"))?;
    let address = check_email(email.text()?).map_err(|_| email.wrong("must be an e-mail address"))?;
    let mut rights = KeyRights::default();
    if let Some(name) = attributes.get("name")? {
        rights.name =
            check_name(name.text()?).map_err(|problem| name.wrong(&format!("is refused: {problem}")))?;
    }
    if let Some(scopes) = attributes.get("scopes")? {
        rights.scopes = self::scopes(&scopes)?;
    }
    if let Some(end) = attributes.get("expires_at")? {
        rights.expires_at = Some(self::end(&end, now)?);
    }
    Ok((address.to_owned(), rights))
}

fn scopes(member: &Member<'_>) -> Result<Scopes> {
    let text = member.text()?;
    let scopes: Scopes =
        text.parse().map_err(|_| member.wrong("must be \"all\", or scopes that are separated by commas"))?;
    if scopes.allow(Scope::Admin) {
        return Err(member.wrong("may not be \"admin\"; create such a key by the command line"));
    }
    Ok(scopes)
}

fn end(member: &Member<'_>, now: Timestamp) -> Result<Timestamp> {
    let moment = OffsetDateTime::parse(member.text()?, &Rfc3339).ok();
    let end = moment.and_then(|moment| i64::try_from(moment.unix_timestamp_nanos()).ok()).map(Timestamp);
    end.filter(|end| *end > now)
        .ok_or_else(|| member.wrong("must be a time in the future, such as 2030-01-01T00:00:00Z"))
}

fn resource(key: &Key, email: &str) -> Value {
    json!({
        "type": KIND,
        "id": key.id,
        "attributes": {
            "email": email,
            "name": key.rights.name,
            "prefix": key.prefix,
            "scopes": key.rights.scopes.to_string(),
            "created_at": key.created_at.to_seconds_text(),
            "expires_at": key.rights.expires_at.map(Timestamp::to_seconds_text),
            "used_at": key.used_at.map(Timestamp::to_seconds_text),
            "revoked_at": key.revoked_at.map(Timestamp::to_seconds_text),
        },
    })
}
